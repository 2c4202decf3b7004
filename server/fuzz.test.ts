import { afterAll, beforeAll, expect, test } from 'vitest'
import { isWhole } from '#db/testing.ts'
import { makeTargets } from './bad-input.testing.ts'
import { ApiKeys } from './companies/api-keys.ts'
import { type Aim, CLICK, entryPoints, fuzz } from './fuzz.testing.ts'
import { makeBearer, startServer, TEST_SECRET, type TestServer } from './testing.ts'

let server: TestServer
let aim: () => Promise<Aim>
beforeAll(async () => {
  server = await startServer()
  const { db, origin } = server
  const ids = await makeTargets(db)
  const keys = new ApiKeys(db, TEST_SECRET)
  const owner = { issuerId: ids.issuer_id }
  const both = { api: await keys.create(db, owner, 'api'), postback: await keys.create(db, owner, 'postback') }
  aim = async () => ({ origin, ids, keys: both, bearer: await makeBearer(db, { role: 'admin' }) })
})
afterAll(() => server.stop())

test('whatever bytes come to whichever endpoint, nothing breaks and every refusal is an envelope', async () => {
  const statuses = new Set<string>()
  for (const entryPoint of entryPoints) {
    const volley = await fuzz(entryPoint, (entryPoint.name === CLICK ? 20 : 2) * (isWhole ? 10 : 1), aim)
    for (const status of Object.keys(volley.statuses)) statuses.add(status)
  }
  // Otherwise the bytes were refused before they reached anything.
  for (const reached of ['200', '302', '400', '404', '422']) expect(statuses).toContain(reached)
})

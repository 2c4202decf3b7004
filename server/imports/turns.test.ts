import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { FILES, startServer, type TestServer, untilLockWait } from '../testing.ts'
import { at, csvOf, makeWorld, mappingOf, upload } from './testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({}, { works: [FILES] })
})
afterAll(() => server.stop())

/** An issuer with a file of which nothing can be read until `free` is called. */
async function heldFile() {
  const { ids } = await makeWorld(server.db)
  const client = await server.as({ role: 'issuer', issuerId: ids.issuer_id })
  const { id } = (await upload(client, csvOf([['a', 'APROBADA', 'buró']]))).json().data
  const holding = await server.db.startTransaction().execute()
  await sql`lock table import_row in access exclusive mode`.execute(holding)
  const free = async () => {
    if (!holding.isRolledBack) await holding.rollback().execute()
  }
  onTestFinished(free)
  return { client, id, free }
}

test('of all that a company asks of its files at once, none keeps other people from theirs', async () => {
  const { client, id, free } = await heldFile()
  const columns = Array.from({ length: 30 }, (_, index) => index % 3)
  const calls = [
    ...columns.map((column) => client.get(at(id, `values/?column=${column}`))),
    ...Array.from({ length: 6 }, () => client.get(at(id, 'rows/'))),
    ...Array.from({ length: 6 }, () => client.put(at(id, 'mapping/'), mappingOf())),
  ]
  await untilLockWait(server.db)
  const other = await server.as({ role: 'admin' })
  const answers = await Promise.all(Array.from({ length: 5 }, () => other.get('/api/v1/issuers/')))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  // Other reasons may be those of a test's database.
  expect((await server.anonymous.get('/readyz')).text).not.toContain('"database"')
  await free()
  const answered = await Promise.all(calls)
  expect(answered.map(({ status, text }) => (status === 200 ? 200 : text))).toEqual(calls.map(() => 200))
  expect(answered[1]?.json().data).toEqual([{ value: 'APROBADA', rows: 1 }])
  expect(answered[4]?.json().data).toEqual([{ value: 'APROBADA', rows: 1 }])
})

test('so many calls of a company wait at most; one that fails keeps no other from its turn', async () => {
  const { client, id, free } = await heldFile()
  const first = client.get(at(id, 'rows/'))
  await untilLockWait(server.db)
  const statuses: number[] = []
  const calls = Array.from({ length: 25 }, async () => statuses.push((await client.get(at(id, 'rows/'))).status))
  await expect.poll(() => statuses).toEqual(Array(5).fill(503))
  await free()
  await Promise.all(calls)
  expect([(await first).status, ...statuses.slice(5)]).toEqual(Array(21).fill(200))
  const [wrong, right] = await Promise.all([9, 1].map((column) => client.get(at(id, `values/?column=${column}`))))
  expect([wrong?.status, right?.status]).toEqual([422, 200])
})

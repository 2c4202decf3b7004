import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDelivery, makeReceiver } from '#db/factories.ts'
import { readConfig } from '../config.ts'
import { retainOnce } from '../privacy/retention.ts'
import { makeIssuer, startServer, type TestClient, type TestServer } from '../testing.ts'
import { ok, RECEIVERS } from './deliveries.testing.ts'

const { retention: TERMS } = readConfig({})
const DAY_MS = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()

let server: TestServer
let issuer: TestClient
let receiver: number
beforeAll(async () => {
  server = await startServer()
  const { id } = await makeIssuer(server.db)
  issuer = await server.as({ role: 'issuer', issuerId: id })
  // Paused: nothing of it goes out meanwhile.
  const paused = { issuer_id: id, state: 'paused', reason: 'gone', paused_at: ago(1) }
  receiver = (await makeReceiver(server.db, paused)).id
})
afterAll(() => server.stop())

const made = (days: number, columns: object = {}) =>
  makeDelivery(server.db, receiver, { created_at: ago(days), waits_since: ago(days), ...columns })
const waiting = { state: 'waiting', settled_at: null }
const stateOf = async ({ id }: { id: string }) => {
  const found = await server.db
    .selectFrom('delivery')
    .select(['state', 'reason'])
    .where('id', '=', id)
    .executeTakeFirst()
  return found && [found.state, found.reason]
}

test('deliveries go after sixty days, also behind older ones that are sent again', async () => {
  const again = [await made(50), await made(50)]
  const old = [await made(61), await made(61), await made(61)]
  const kept = await made(59)
  for (const { id } of again) {
    await ok(issuer.post(`/api/v1/deliveries/${id}/replay/`))
    // Only now, since the server's own retention may pass at any moment.
    await sql`update delivery set created_at = ${ago(70)} where id = ${id}`.execute(server.db)
  }
  for (let batch = 0; batch < 3; batch += 1) await retainOnce(server.appDb, TERMS, 2)
  expect(await Promise.all(old.map(stateOf))).toEqual([undefined, undefined, undefined])
  expect(await Promise.all([...again, kept].map(stateOf))).toEqual([
    ['waiting', null],
    ['waiting', null],
    ['delivered', null],
  ])
})

test('what is sent again waits thirty days from then on, and what nobody sends again thirty from its start', async () => {
  const [one, ofPeriod, never, young] = [
    await made(40),
    await made(39),
    await made(31, waiting),
    await made(29, waiting),
  ]
  await ok(issuer.post(`/api/v1/deliveries/${one.id}/replay/`))
  const period = { from: ago(39.5), to: ago(38.5), state: 'delivered' }
  expect(await ok(issuer.post(`${RECEIVERS}${receiver}/replay/`, period))).toEqual({ count: 1 })
  await retainOnce(server.appDb, TERMS)
  expect([await stateOf(one), await stateOf(ofPeriod), await stateOf(young)]).toEqual(Array(3).fill(['waiting', null]))
  expect(await stateOf(never)).toEqual(['failed', 'expired'])
  await sql`update delivery set waits_since = ${ago(31)} where id = ${one.id}`.execute(server.db)
  await retainOnce(server.appDb, TERMS)
  expect([await stateOf(one), await stateOf(ofPeriod)]).toEqual([
    ['failed', 'expired'],
    ['waiting', null],
  ])
})

test('of one receiver a hundred thousand wait, and the oldest beyond them are given up', async () => {
  const owner = await makeIssuer(server.db)
  const paused = { issuer_id: owner.id, state: 'paused', reason: 'gone', paused_at: ago(1) }
  const { id } = await makeReceiver(server.db, paused)
  await sql`insert into delivery (receiver_id, occurrence_id, type)
    select ${id}::bigint, -n, 'lead.event' from generate_series(1, 100002) as n`.execute(server.db)
  await retainOnce(server.appDb, TERMS)
  const { rows } = await sql`select state, reason, min(occurrence_id) as newest, count(*)::int as count from delivery
    where receiver_id = ${id} group by state, reason order by state`.execute(server.db)
  expect(rows).toEqual([
    { state: 'failed', reason: 'expired', newest: -2, count: 2 },
    { state: 'waiting', reason: null, newest: -100_002, count: 100_000 },
  ])
})

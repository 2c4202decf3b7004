import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import { startServer, type TestServer, untilLockWait } from '../testing.ts'
import {
  deliveriesOf,
  letPass,
  makeReceiver,
  ok,
  RECEIVERS,
  startReceiver,
  type TestReceiver,
  until,
} from './deliveries.testing.ts'
import { fanOut } from './sender.ts'

let server: TestServer
let receiver: TestReceiver
beforeAll(async () => {
  server = await startServer({ DELIVER_TO_LOOPBACK: '1' })
  receiver = await startReceiver()
})
afterAll(async () => {
  await server.stop()
  await receiver.close()
})

test('what happened and cannot be told keeps back neither what was made before nor what happened before it', async () => {
  const { client, lead, ids } = await makeFunnel(server)
  const { affiliate_id, issuer_id } = ids
  const issuer = await server.as({ role: 'issuer', issuerId: issuer_id })
  const affiliate = await server.as({ role: 'affiliate', affiliateId: affiliate_id })
  const made = await makeReceiver(issuer, receiver.url)
  const refused = await makeReceiver(affiliate, 'http://127.0.0.1:1/')
  await sql`update receiver set rest_until = now() + interval '1 hour' where id = ${made.id}`.execute(server.db)
  await ok(client.post(EVENTS, { tracking_id: lead.tracking_id, event_type: 'step_1' }))
  await until(async () => (await deliveriesOf(affiliate, refused)).length).toBe(1)
  await sql`create function refuse_delivery() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(
    server.db,
  )
  await sql`create trigger refuse_delivery before insert on delivery for each row
    when (new.receiver_id = ${sql.lit(refused.id)}) execute function refuse_delivery()`.execute(server.db)
  // Of the second nothing can be made.
  const row = { type: 'lead.event', issuer_id }
  await server.db
    .insertInto('occurrence')
    .values([
      { ...row, affiliate_id: null },
      { ...row, affiliate_id },
    ])
    .execute()
  const failure = () => fanOut(server.appDb).then(() => '', String)
  await until(failure).toContain('refused')
  await letPass(server, made, 1)
  await until(() => receiver.got.length).toBeGreaterThan(0)
  await until(async () => (await deliveriesOf(issuer, made)).length).toBe(2)
  await sql`drop trigger refuse_delivery on delivery`.execute(server.db)
  await until(async () => (await deliveriesOf(affiliate, refused)).length).toBe(2)
  expect(await deliveriesOf(issuer, made)).toHaveLength(3)
})

test('a delivery that is sent again by somebody else meanwhile is not made due once more', async () => {
  const { client, lead, ids } = await makeFunnel(server)
  const issuer = await server.as({ role: 'issuer', issuerId: ids.issuer_id })
  const made = await makeReceiver(issuer, receiver.url)
  await ok(client.post(EVENTS, { tracking_id: lead.tracking_id, event_type: 'step_1' }))
  await until(async () => (await deliveriesOf(issuer, made))[0]?.state).toBe('delivered')
  const other = await server.db.startTransaction().execute()
  await sql`select from delivery where receiver_id = ${made.id} for update`.execute(other)
  const from = new Date(Date.now() - 600_000).toISOString()
  const to = new Date().toISOString()
  const replay = ok(issuer.post(`${RECEIVERS}${made.id}/replay/`, { from, to, state: 'delivered' }))
  await untilLockWait(server.db)
  // As it is while it is under way.
  await sql`update delivery set state = 'waiting', settled_at = null, claimed_until = now() + interval '1 hour'
    where receiver_id = ${made.id}`.execute(other)
  await other.commit().execute()
  expect(await replay).toEqual({ count: 0 })
})

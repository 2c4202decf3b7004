import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import { startServer, type TestServer } from '../testing.ts'
import {
  deliveriesOf,
  letPass,
  makeReceiver,
  ok,
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

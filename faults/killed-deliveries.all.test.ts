import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { connect, type Db } from '#db/connect.ts'
import { makeReceiver } from '#db/factories.ts'
import { answering, startReceiver, type TestReceiver, until } from '#server/deliveries/deliveries.testing.ts'
import { ReceiverSecrets } from '#server/deliveries/secrets.ts'
import { EVENTS, type Funnel, makeFunnel, type TypeName } from '#server/events/testing.ts'
import { makeLead, TEST_SECRET } from '#server/testing.ts'
import type { Supervised } from './supervised.ts'
import { type FaultWorld, openWorld } from './world.ts'

let world: FaultWorld
let product: Supervised
let db: Db
beforeAll(async () => {
  world = await openWorld({ eventLeads: 0 })
  product = await world.start({ SECRET: TEST_SECRET, DELIVER_TO_LOOPBACK: '1' })
  db = connect(world.databaseUrl(), { max: 6 })
})
afterAll(async () => {
  await db.destroy()
  await world.remove()
})

let outside: TestReceiver
let funnel: Funnel
let receiverId: number
beforeEach(async () => {
  outside = await startReceiver()
  const origin = `http://127.0.0.1:${product.port}`
  funnel = await makeFunnel({ db, origin })
  const owner = { affiliate_id: null, issuer_id: funnel.issuer.id }
  const secrets = new ReceiverSecrets(TEST_SECRET)
  // One that has answered well before: more than one call at a time.
  const columns = { ...owner, url: outside.url, last_ok_at: new Date(), per_second: 10 }
  receiverId = (await makeReceiver(db, { ...columns, secret: secrets.create(owner).sealed, kek_id: secrets.keyId })).id
})
afterEach(() => outside.close())

const TYPES: TypeName[] = ['step_1', 'step_2', 'aprobado']

/** Three events of one lead, in turn, and one of another; all answered. */
async function sendEvents(): Promise<string> {
  const other = await makeLead(db, funnel.ids)
  const send = async (tracking_id: string, event_type: TypeName) =>
    expect((await funnel.client.post(EVENTS, { tracking_id, event_type })).status).toBe(201)
  for (const type of TYPES) await send(funnel.lead.tracking_id, type)
  await send(other.tracking_id, 'step_1')
  return funnel.lead.tracking_id
}

const deliveries = () =>
  db.selectFrom('delivery').selectAll().where('receiver_id', '=', receiverId).orderBy('seq').execute()
const count = async (state: 'delivered' | 'claimed' | 'all') =>
  (await deliveries()).filter(
    (each) => state === 'all' || (state === 'claimed' ? each.claimed_until : each.state === state),
  ).length
const rest = (time: string) =>
  sql`update receiver set rest_until = now() + ${time}::interval where id = ${receiverId}`.execute(db)

/** Nobody else reads or writes the table until it is let go. */
async function hold(table: string): Promise<() => Promise<void>> {
  const tx = await db.startTransaction().execute()
  await sql`lock table ${sql.table(table)}`.execute(tx)
  return () => tx.rollback().execute()
}

async function killAndReturn(): Promise<void> {
  await product.kill()
  outside.behave = answering(200)
}

/** Each under one id, those of the lead in their order, also when one came again. */
async function expectAllTold(lead: string): Promise<Map<string, number>> {
  await product.untilReady()
  await until(() => count('delivered')).toBe(4)
  const made = await deliveries()
  const ids = outside.got.map(({ headers }) => String(headers['webhook-id']))
  expect(new Set(ids)).toEqual(new Set(made.map(({ id }) => id)))
  const ofLead = outside.got.map(({ body }) => JSON.parse(body).data).filter(({ tracking_id }) => tracking_id === lead)
  const places = ofLead.map(({ event_type }) => TYPES.indexOf(event_type))
  expect(places).toEqual(places.toSorted())
  expect(new Set(places).size).toBe(TYPES.length)
  const own = made.filter(({ tracking_id }) => tracking_id === lead)
  expect(own.map(({ seq }) => seq)).toEqual(own.map(({ seq }) => seq).toSorted((a, b) => a - b))
  return new Map(made.map(({ id }) => [id, ids.filter((each) => each === id).length]))
}

const timesOf = (told: Map<string, number>) => [...told.values()].toSorted()

test('killed before what happened is a delivery: all of it is told, once', async () => {
  const letGo = await hold('fan_out_position')
  const lead = await sendEvents()
  await killAndReturn()
  expect(await count('all')).toBe(0)
  await letGo()
  expect(timesOf(await expectAllTold(lead))).toEqual([1, 1, 1, 1])
}, 300_000)

test('killed after deliveries were claimed: they are claimed again, and told once', async () => {
  await rest('1 hour')
  const lead = await sendEvents()
  await until(() => count('all')).toBe(4)
  // Read after the claim, before a call is drawn.
  const letGo = await hold('reject_reason')
  await rest('0')
  await until(() => count('claimed')).toBe(2)
  await killAndReturn()
  expect(outside.got).toEqual([])
  await letGo()
  expect(timesOf(await expectAllTold(lead))).toEqual([1, 1, 1, 1])
}, 300_000)

test('killed while it waits for answers: told again under the same ids', async () => {
  await rest('1 hour')
  const lead = await sendEvents()
  await until(() => count('all')).toBe(4)
  outside.behave = () => undefined
  await rest('0')
  await until(() => outside.got.length).toBe(2)
  await killAndReturn()
  expect(await count('delivered')).toBe(0)
  expect(timesOf(await expectAllTold(lead))).toEqual([1, 1, 2, 2])
}, 300_000)

test('killed between the answer and its note: told again under the same ids', async () => {
  await rest('1 hour')
  const lead = await sendEvents()
  await until(() => count('all')).toBe(4)
  const letGo = await hold('delivery_attempt')
  await rest('0')
  await until(() => outside.got.length).toBe(2)
  // Both answers have come: their notes wait for the table.
  const waiting = async () =>
    (await sql`select from pg_locks where relation = 'delivery_attempt'::regclass and not granted`.execute(db)).rows
      .length
  await until(waiting).toBe(2)
  await killAndReturn()
  await letGo()
  expect(timesOf(await expectAllTold(lead))).toEqual([1, 1, 2, 2])
}, 300_000)

test('killed after an answer was noted: that one is not told again', async () => {
  outside.behave = ({ body }, response) => {
    // The first of the lead is taken, the next hangs.
    if (JSON.parse(body).data.event_type !== 'step_2') response.end()
  }
  const lead = await sendEvents()
  await until(() => count('delivered')).toBe(2)
  await until(() => outside.got.length).toBe(3)
  await killAndReturn()
  const told = await expectAllTold(lead)
  expect((await deliveries()).map(({ id }) => told.get(id))).toEqual([1, 2, 1, 1])
}, 300_000)

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makePayment } from '#db/factories.ts'
import { FILES, makeStep, startServer, type TestClient, type TestServer } from '../testing.ts'
import { applied, at, csvOf, makeWorld, mappingOf, simulated, type World, whenDone } from './testing.ts'

let server: TestServer
let world: World
let client: TestClient
beforeAll(async () => {
  server = await startServer({}, { works: [FILES] })
})
afterAll(() => server.stop())
beforeEach(async () => {
  world = await makeWorld(server.db)
  client = await server.as({ role: 'issuer', issuerId: world.ids.issuer_id })
})

type Lead = Awaited<ReturnType<World['lead']>>
/** No file may come twice: a reason makes it another one. */
const fileOf = ({ tracking_id }: Lead, status: string, reason = '', mapping = mappingOf()) =>
  simulated(client, csvOf([[tracking_id, status, reason]]), mapping)
const tell = async (...of: Parameters<typeof fileOf>) => applied(client, await fileOf(...of))

/** What the lead has earned so far. */
async function pay({ id }: Lead, month: number): Promise<void> {
  const period = { period_start: `2025-0${month}-01`, period_end: `2025-0${month}-20` }
  const payment = await makePayment(server.db, world.ids, { ...period, payment_status: 'paid' })
  await server.db
    .updateTable('commission_entry')
    .set({ state: 'paid', payment_id: payment.id })
    .where('lead_id', '=', id)
    .where('state', '=', 'accrued')
    .execute()
}
const entriesOf = ({ id }: Lead) =>
  server.db
    .selectFrom('commission_entry')
    .select(['kind', 'state', 'amount'])
    .where('lead_id', '=', id)
    .orderBy('id')
    .execute()

/** Approved and paid, rejected, taken back: the charge was lifted. */
async function makeLifted(): Promise<Lead> {
  const lead = await world.lead()
  await tell(lead, 'APROBADA')
  await pay(lead, 1)
  await tell(lead, 'RECHAZADA', 'buró')
  return lead
}
const CHARGED = [
  { kind: 'commission', state: 'paid', amount: '500.00' },
  { kind: 'reversal', state: 'accrued', amount: '-500.00' },
]

test('rejecting a lead again whose charge was lifted is told as a charge', async () => {
  const lead = await makeLifted()
  const restored = await client.post(`/api/v1/leads/${lead.id}/restore/`, { note: 'Se aclaró con el banco' })
  expect(restored.status, restored.text).toBe(200)
  const file = await fileOf(lead, 'RECHAZADA')
  expect(file.outcomes).toEqual([{ outcome: 'reject_paid', rows: 1, amount: '-500.00', charge: '500.00' }])
  await applied(client, file)
  expect(await entriesOf(lead)).toEqual(CHARGED)
})

test('undoing a file that lifted a charge is told as a charge', async () => {
  const lead = await makeLifted()
  const file = await tell(lead, 'APROBADA', 'buró', mappingOf({ restores: true }))
  await client.post(at(file.id, 'undo-preview/'))
  expect((await whenDone(client, file.id)).undo).toEqual([{ undo: 'charge', rows: 1, amount: '-500.00' }])
})

test('a lead that is paid after the simulation is left out: it would be charged more than was shown', async () => {
  const lead = await world.lead()
  await makeStep(server.db, {
    product_id: world.ids.product_id,
    event_type_id: 5,
    name: 'Entrega',
    is_payout_event: true,
  })
  await tell(lead, 'APROBADA')
  await pay(lead, 1)
  const delivered = { value: 'ENTREGADA', action: 'step' as const, event_type_id: 5 }
  await tell(lead, 'ENTREGADA', '', mappingOf({ values: [delivered] }))
  const file = await fileOf(lead, 'RECHAZADA')
  expect(file.outcomes).toEqual([{ outcome: 'reject_paid', rows: 1, amount: '-1000.00', charge: '500.00' }])
  await pay(lead, 2)
  const before = await entriesOf(lead)
  expect((await applied(client, file)).results).toEqual([{ result: 'changed', rows: 1, amount: '0.00' }])
  expect(await entriesOf(lead)).toEqual(before)
})

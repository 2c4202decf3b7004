import { afterAll, beforeAll, expect, test } from 'vitest'
import { CANCEL_REASON_REQUIRED, PAYMENT_DATE_REQUIRED } from '#contract/payment-texts.ts'
import { makeEntry, makePayment } from '#db/factories.ts'
import { makePair, startServer, type TestClient, type TestServer } from '../testing.ts'
import { expectConserved } from '../totals/testing.ts'
import { entriesIn } from './testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(async () => {
  await expectConserved(server.db)
  await server.stop()
})

const MISSING = 999_999_999
const set = (form: object) => admin.post('/api/v1/payments/status/', form)
const outcomesOf = async (form: object) => (await set(form)).json().data
const get = async (id: number) => (await admin.get(`/api/v1/payments/${id}/`)).json().data

/** A payment of another month than those before, since a pair has one of a period. */
async function makeMonths() {
  const { ids } = await makePair(server.db)
  const month = (number: string, columns: object = {}) =>
    makePayment(server.db, ids, {
      ...{ period_start: `2025-${number}-01`, period_end: `2025-${number}-28`, ...columns },
    })
  return { ids, month }
}

test('each payment is changed by itself, and says what became of it', async () => {
  const { month } = await makeMonths()
  const [pending, paid, dateless] = [
    await month('01'),
    await month('02', { payment_status: 'paid' }),
    await month('03', { payment_date: null }),
  ]
  const ids = [pending.id, MISSING, paid.id, dateless.id]
  expect(await outcomesOf({ ids, payment_status: 'paid' })).toEqual([
    { id: pending.id, outcome: 'updated', message: null },
    { id: MISSING, outcome: 'not_found', message: 'Pago no encontrado' },
    { id: paid.id, outcome: 'already', message: null },
    { id: dateless.id, outcome: 'refused', message: PAYMENT_DATE_REQUIRED },
  ])
  expect(await get(pending.id)).toMatchObject({ payment_status: 'paid', payment_date: '2025-04-04' })
  expect((await get(dateless.id)).payment_status).toBe('pending')
  const again = await outcomesOf({ ids, payment_status: 'paid', payment_date: '2025-05-02' })
  expect(again.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'already',
    'not_found',
    'already',
    'updated',
  ])
  expect((await get(dateless.id)).payment_date).toBe('2025-05-02')
  expect((await get(pending.id)).payment_date).toBe('2025-04-04')
})

test('one that was saved after it was read is refused, by whoever says how it was read', async () => {
  const { month } = await makeMonths()
  const [one, other] = [await month('01'), await month('02')]
  const seen = { [one.id]: (await get(one.id)).updated_at, [other.id]: (await get(other.id)).updated_at }
  await admin.put(`/api/v1/payments/${one.id}/`, { payment_status: 'paid' })
  const form = { ids: [one.id, other.id], payment_status: 'processing' }
  expect(await outcomesOf({ ...form, seen })).toMatchObject([
    { id: one.id, outcome: 'refused', message: expect.stringContaining('cambiaron después') },
    { id: other.id, outcome: 'updated' },
  ])
  expect((await get(one.id)).payment_status).toBe('paid')
  expect(await outcomesOf({ ...form, ids: [one.id] })).toMatchObject([{ outcome: 'updated' }])
})

test('a payment that was paid is cancelled with a reason, one that was not without', async () => {
  const { month } = await makeMonths()
  const [pending, paid] = [await month('01'), await month('02', { payment_status: 'paid' })]
  const ids = [pending.id, paid.id]
  expect(await outcomesOf({ ids, payment_status: 'cancelled' })).toEqual([
    { id: pending.id, outcome: 'updated', message: null },
    { id: paid.id, outcome: 'refused', message: CANCEL_REASON_REQUIRED },
  ])
  const reason = 'El banco devolvió la transferencia'
  await set({ ids, payment_status: 'cancelled', cancel_reason: reason })
  expect(await get(paid.id)).toMatchObject({ payment_status: 'cancelled', cancel_reason: reason })
  expect(await get(pending.id)).toMatchObject({ payment_status: 'cancelled', cancel_reason: '' })
})

test('commissions follow, a changed sum stops its payment alone, and each change is in the trail', async () => {
  const { ids, relationship } = await makePair(server.db)
  const made = []
  for (const month of ['01', '02']) {
    await makeEntry(server.db, ids, { amount: '300.00', earned_at: `2025-${month}-10T18:00:00Z` })
    const answer = await admin.post('/api/v1/payments/', {
      ...{ relationship: relationship.id, period_start: `2025-${month}-01`, period_end: `2025-${month}-28` },
      ...{ total_leads: 1, total_conversions: 1, total_amount: '300', payment_date: '2025-04-04' },
    })
    made.push(answer.json().data.id)
  }
  const [changed, sound] = made
  const sums = { total_amount: '250.00', calculated_amount: '250.00' }
  await server.db.updateTable('payment').set(sums).where('id', '=', changed).execute()
  const [refused, updated] = await outcomesOf({ ids: made, payment_status: 'paid' })
  expect(refused).toMatchObject({
    outcome: 'refused',
    message: expect.stringContaining('sumaban $250.00 y ahora suman $300.00'),
  })
  expect(updated.outcome).toBe('updated')
  expect((await entriesIn(server.db, sound)).map(({ state }) => state)).toEqual(['paid'])
  const trail = await server.db
    .selectFrom('audit_entry')
    .select(['action', 'changes'])
    .where('entity', '=', 'payment')
    .where('entity_id', 'in', made)
    .where('action', '=', 'update')
    .execute()
  expect(trail).toMatchObject([{ changes: { payment_status: ['pending', 'paid'] } }])
})

test.each([
  ['none', []],
  ['one twice', [1, 1]],
  ['more than 500', Array.from({ length: 501 }, (_, index) => index + 1)],
])('%s is refused as a whole', async (_, ids) => {
  expect((await set({ ids, payment_status: 'paid' })).json().meta.field_errors).toHaveProperty('ids')
})

test('500 are taken', async () => {
  const ids = Array.from({ length: 500 }, (_, index) => MISSING - index)
  expect(await outcomesOf({ ids, payment_status: 'paid' })).toHaveLength(500)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADJUSTMENT_REASON_SHORT, PAID_STAYS } from '#contract/payment-texts.ts'
import { NOTE_LENGTH } from '#contract/rulings.ts'
import { makeEntry } from '#db/factories.ts'
import { makePair, startServer, type TestAnswer, type TestClient, type TestServer } from '../testing.ts'
import { expectConserved } from '../totals/testing.ts'
import { entriesIn, paymentForm } from './testing.ts'

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

const put = (id: number, changes: object) => admin.put(`/api/v1/payments/${id}/`, changes)
const get = async (id: number) => (await admin.get(`/api/v1/payments/${id}/`)).json().data
const told = (answer: TestAnswer) => {
  const { message, meta } = answer.json()
  return [answer.status, meta.code, message, meta.field_errors]
}
const refused = (...fields: string[]) => [
  ...[409, 'PAID_STAYS', PAID_STAYS],
  Object.fromEntries(fields.map((field) => [field, [PAID_STAYS]])),
]

/** A pair that earned 500.00 in March. */
async function makeEarned() {
  const pair = await makePair(server.db)
  const entry = await makeEntry(server.db, pair.ids, { amount: '500.00', earned_at: '2025-03-10T18:00:00Z' })
  return { ...pair, entry, form: { ...paymentForm(pair.relationship.id), total_amount: '500.00' } }
}

async function makePaid() {
  const pair = await makeEarned()
  const { id } = (await admin.post('/api/v1/payments/', { ...pair.form, payment_status: 'paid' })).json().data
  return { ...pair, id }
}

const APRIL = { period_start: '2025-04-01', period_end: '2025-04-30' }

test('a paid payment stays with who was paid, for the same period and the same commissions', async () => {
  const { id, entry, form } = await makePaid()
  const other = await makeEarned()
  const relationship = other.relationship.id
  const calculation = { entries_amount: '500.00', upto: other.entry.id }
  expect(told(await put(id, { relationship }))).toEqual(refused('relationship'))
  expect(told(await put(id, { ...form, relationship, ...calculation }))).toEqual(refused('relationship'))
  expect(told(await put(id, { period_end: '2025-03-30' }))).toEqual(refused('period_end'))
  const named = { ...APRIL, entries_amount: '0.00', adjustment_reason: 'Era de abril' }
  expect(told(await put(id, named))).toEqual(refused('period_start', 'period_end'))
  expect(told(await put(id, calculation))).toEqual(refused())
  expect(await get(id)).toMatchObject({ ...form, total_amount: '500.00', payment_status: 'paid' })
  expect(await entriesIn(server.db, id)).toEqual([{ id: entry.id, state: 'paid' }])
})

test.each([
  { total_leads: 12 },
  { total_conversions: 2 },
  { total_amount: '510' },
  { payment_date: '2025-04-07' },
  { total_leads: 12, total_amount: '510', payment_status: 'paid' },
])('none of its figures and dates changes while it is paid: %j', async (changes) => {
  const { id, form } = await makePaid()
  const fields = Object.keys(changes).filter((field) => field !== 'payment_status')
  expect(told(await put(id, changes))).toEqual(refused(...fields))
  const noted = await put(id, { ...form, id, total_amount: '500', notes: 'SPEI 77' })
  expect(noted.json().data).toMatchObject({ ...form, payment_status: 'paid', notes: 'SPEI 77' })
})

test('once money was sent, another difference has a reason; one that is written has three characters at least', async () => {
  const { id, form } = await makePaid()
  const short = [422, 'VALIDATION_ERROR', ADJUSTMENT_REASON_SHORT, { adjustment_reason: [ADJUSTMENT_REASON_SHORT] }]
  expect(told(await put(id, { payment_status: 'pending', total_amount: '510' }))).toEqual(short)
  for (const adjustment_reason of ['', ' x ', 'no'])
    expect(told(await put(id, { payment_status: 'pending', total_amount: '510', adjustment_reason }))).toEqual(short)
  const said = await put(id, { payment_status: 'pending', total_amount: '510', adjustment_reason: 'IVA' })
  expect(said.json().data).toMatchObject({ adjustment: '10.00', adjustment_reason: 'IVA' })
  const other = await makeEarned()
  const typed = { ...form, relationship: other.relationship.id, total_amount: '510' }
  expect(told(await admin.post('/api/v1/payments/', { ...typed, adjustment_reason: 'x' }))).toEqual(short)
  expect((await admin.post('/api/v1/payments/', typed)).json().data).toMatchObject({ adjustment: '10.00' })
})

test('what was paid is cancelled with a reason of ten characters, as other decisions about money', async () => {
  const { id } = await makePaid()
  for (const cancel_reason of ['x', 'Duplicado'])
    expect(told(await put(id, { payment_status: 'cancelled', cancel_reason }))[3]).toEqual({
      cancel_reason: [NOTE_LENGTH],
    })
  expect((await put(id, { payment_status: 'cancelled', cancel_reason: 'Se duplicó' })).status).toBe(200)
})

test('set back to pending, alone or in the same call, it is given another period and paid again', async () => {
  const { id, entry, ids } = await makePaid()
  const april = await makeEntry(server.db, ids, { amount: '500.00', earned_at: '2025-04-10T18:00:00Z' })
  const moved = await put(id, { payment_status: 'pending', ...APRIL })
  expect([moved.status, await entriesIn(server.db, id)]).toEqual([200, [{ id: april.id, state: 'in_payment' }]])
  expect((await put(id, { period_start: '2025-03-01' })).status).toBe(200)
  const paid = await put(id, { payment_status: 'paid' })
  expect(paid.json().data).toMatchObject({ payment_status: 'paid' })
  expect(await entriesIn(server.db, id)).toEqual([{ id: entry.id, state: 'paid' }])
})

test('a payment that was never paid is cancelled without a reason and deleted', async () => {
  const { id } = (await admin.post('/api/v1/payments/', (await makeEarned()).form)).json().data
  expect((await put(id, { payment_status: 'cancelled' })).status).toBe(200)
  expect((await admin.delete(`/api/v1/payments/${id}/`)).status).toBe(204)
})

test('an adjustment keeps its reason, for all three to read and in the file', async () => {
  const { form, affiliate } = await makeEarned()
  const asked = { ...form, total_amount: '650', adjustment_reason: '  Bono por volumen ' }
  const saved = await admin.post('/api/v1/payments/', asked)
  expect(saved.json().data).toMatchObject({ adjustment: '150.00', adjustment_reason: 'Bono por volumen' })
  const client = await server.as({ role: 'affiliate', affiliateId: affiliate.id })
  expect((await client.get('/api/v1/exports/payments/?format=csv')).text).toContain('Bono por volumen')
  const long = { ...form, ...APRIL, adjustment_reason: 'x'.repeat(501) }
  expect((await admin.post('/api/v1/payments/', long)).status).toBe(422)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CommissionEntry } from '#contract/commission-entries.ts'
import type { Payment } from '#contract/payments.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { makeEntry } from '#db/factories.ts'
import { makeIssuer, makePair, makeRelationship, startServer, type TestClient, type TestServer } from '../testing.ts'
import { entriesIn, paymentForm } from './testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const today = dateInMexico()
const create = (form: Record<string, unknown>) => admin.post('/api/v1/payments/', form)

/** A pair with three entries of March worth 1,600.50 and one of April. */
async function makeMarch() {
  const pair = await makePair(server.db)
  const march = [
    await makeEntry(server.db, pair.ids, { amount: '500.00', earned_at: '2025-03-01T06:00:00Z' }),
    await makeEntry(server.db, pair.ids, { amount: '600.50', earned_at: '2025-03-15T12:00:00Z' }),
    await makeEntry(server.db, pair.ids, { amount: '500.00', earned_at: '2025-04-01T05:59:59Z' }),
  ]
  const april = await makeEntry(server.db, pair.ids, { amount: '70.00', earned_at: '2025-04-01T06:00:00Z' })
  return { ...pair, march, april, form: paymentForm(pair.relationship.id) }
}

test('entries of the highest payout can be paid as calculated', async () => {
  const { relationship, ids } = await makePair(server.db)
  for (const day of ['05', '06'])
    await makeEntry(server.db, ids, { amount: '9999999999.99', earned_at: `2025-03-${day}T12:00:00Z` })
  const query = `relationship=${relationship.id}&period_start=2025-03-01&period_end=2025-03-31`
  const { total_amount } = (await admin.get(`/api/v1/payments/preview/?${query}`)).json().data
  expect(total_amount).toBe('19999999999.98')
  const answer = await create({ ...paymentForm(relationship.id), total_amount })
  expect([answer.status, answer.json().data]).toMatchObject([201, { total_amount, entries_amount: total_amount }])
})

test('a payment holds the entries that its relationship earned in the period, by the date in Mexico City', async () => {
  const { form, march, april, affiliate, issuer } = await makeMarch()
  const early = await makePair(server.db)
  const stranger = await makeEntry(server.db, early.ids, { earned_at: '2025-03-10T12:00:00Z' })
  const answer = await create({ ...form, total_amount: '1700', total_leads: 8, total_conversions: 3 })
  expect(answer.status).toBe(201)
  expect(answer.json()).toMatchObject({
    message: 'Pago creado exitosamente',
    data: {
      relationship: form.relationship,
      affiliate: affiliate.id,
      issuer: issuer.id,
      affiliate_name: affiliate.company_name,
      issuer_name: issuer.company_name,
      period_duration_days: 31,
      conversion_rate: 37.5,
      total_amount: '1700.00',
      entries_amount: '1600.50',
      adjustment: '99.50',
      payment_status: 'pending',
    },
  })
  expect(answer.json().meta.warnings).toBeUndefined()
  const held = await entriesIn(server.db, answer.json().data.id)
  expect(held).toEqual(march.map(({ id }) => ({ id, state: 'in_payment' })))
  expect(await stateOf(april.id)).toEqual({ state: 'accrued', payment_id: null })
  expect(await stateOf(stranger.id)).toEqual({ state: 'accrued', payment_id: null })
})

const stateOf = (id: number) =>
  server.db
    .selectFrom('commission_entry')
    .select(['state', 'payment_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

test('the entries follow the status of their payment', async () => {
  const { form, march } = await makeMarch()
  const { id } = (await create({ ...form, payment_status: 'paid' })).json().data
  const states = async () => (await entriesIn(server.db, id)).map(({ state }) => state)
  const put = (payment_status: string, more = {}) =>
    admin.put(`/api/v1/payments/${id}/`, { id, payment_status, ...more })
  expect(await states()).toEqual(['paid', 'paid', 'paid'])
  for (const status of ['pending', 'processing']) {
    await put(status)
    expect(await states()).toEqual(['in_payment', 'in_payment', 'in_payment'])
  }
  await put('paid')
  expect(await states()).toEqual(['paid', 'paid', 'paid'])
  const cancelled = await put('cancelled', { cancel_reason: 'Se pagó dos veces' })
  expect(cancelled.json().data).toMatchObject({ entries_amount: '0.00', payment_status: 'cancelled' })
  expect(await states()).toEqual([])
  expect(await stateOf(march[0]?.id ?? 0)).toEqual({ state: 'accrued', payment_id: null })
  expect((await put('paid')).json().data.entries_amount).toBe('1600.50')
  expect(await states()).toEqual(['paid', 'paid', 'paid'])
})

test('a cancelled payment takes no entries', async () => {
  const { form, march } = await makeMarch()
  const answer = await create({ ...form, payment_status: 'cancelled' })
  expect(answer.json().data.entries_amount).toBe('0.00')
  expect(await stateOf(march[0]?.id ?? 0)).toEqual({ state: 'accrued', payment_id: null })
})

test('another period or relationship lets the entries go and takes those of its own', async () => {
  const { form, march, april, issuer } = await makeMarch()
  const { id } = (await create(form)).json().data
  const moved = await admin.put(`/api/v1/payments/${id}/`, { period_start: '2025-04-01', period_end: '2025-04-30' })
  expect(moved.json().data).toMatchObject({ entries_amount: '70.00', period_duration_days: 30 })
  expect(await entriesIn(server.db, id)).toEqual([{ id: april.id, state: 'in_payment' }])
  expect(await stateOf(march[1]?.id ?? 0)).toEqual({ state: 'accrued', payment_id: null })
  const other = await makePair(server.db)
  const entry = await makeEntry(server.db, other.ids, { earned_at: '2025-04-20T12:00:00Z' })
  const elsewhere = await admin.put(`/api/v1/payments/${id}/`, { relationship: other.relationship.id })
  expect(elsewhere.json().data).toMatchObject({ affiliate: other.affiliate.id, issuer: other.issuer.id })
  expect(elsewhere.json().data.issuer).not.toBe(issuer.id)
  expect(await entriesIn(server.db, id)).toEqual([{ id: entry.id, state: 'in_payment' }])
  expect(await stateOf(april.id)).toEqual({ state: 'accrued', payment_id: null })
})

test('a removed payment disappears and gives its entries back', async () => {
  const { form, march } = await makeMarch()
  const { id } = (await create({ ...form, payment_status: 'processing' })).json().data
  const removed = await admin.delete(`/api/v1/payments/${id}/`)
  expect([removed.status, removed.text]).toEqual([204, ''])
  expect(await stateOf(march[0]?.id ?? 0)).toEqual({ state: 'accrued', payment_id: null })
  for (const path of [`/api/v1/payments/${id}/`, `/api/v1/payments/${id}/entries/`])
    expect((await admin.get(path)).status).toBe(404)
  expect((await admin.delete(`/api/v1/payments/${id}/`)).status).toBe(404)
  expect((await create(form)).status).toBe(201)
})

test('an entry reversed inside a payment stays in sight and no longer counts', async () => {
  const { form, march } = await makeMarch()
  const { id } = (await create({ ...form, total_amount: '1600.50' })).json().data
  const [first] = march
  await server.db
    .updateTable('commission_entry')
    .set({ state: 'reversed', reason: 'rechazado' })
    .where('id', '=', first?.id ?? 0)
    .execute()
  expect((await admin.get(`/api/v1/payments/${id}/`)).json().data).toMatchObject({
    entries_amount: '1100.50',
    calculated_amount: '1600.50',
    adjustment: '0.00',
  })
  const entries: CommissionEntry[] = (await admin.get(`/api/v1/payments/${id}/entries/`)).json().data.results
  expect(entries.map(({ state, reason }) => [state, reason])).toEqual([
    ['reversed', 'rechazado'],
    ['in_payment', null],
    ['in_payment', null],
  ])
  await admin.put(`/api/v1/payments/${id}/`, { payment_status: 'cancelled' })
  expect(await stateOf(first?.id ?? 0)).toEqual({ state: 'reversed', payment_id: null })
})

test('a commission taken back lowers the payment of its period', async () => {
  const { form, march, ids } = await makeMarch()
  await create({ ...form, payment_status: 'paid' })
  await makeEntry(server.db, ids, { amount: '600.00', earned_at: '2025-04-08T12:00:00Z' })
  await makeEntry(server.db, ids, {
    amount: '-500.00',
    reversal_of: march[0]?.id ?? 0,
    earned_at: '2025-04-09T12:00:00Z',
  })
  const answer = await create({ ...form, period_start: '2025-04-01', period_end: '2025-04-30', total_amount: '170' })
  expect(answer.json().data).toMatchObject({ entries_amount: '170.00', adjustment: '0.00' })
})

test('ten payments over overlapping periods at once never take an entry twice', async () => {
  const { form, march, april, ids } = await makeMarch()
  for (let day = 2; day < 12; day += 1)
    await makeEntry(server.db, ids, {
      amount: '10.00',
      earned_at: `2025-03-${day.toString().padStart(2, '0')}T12:00:00Z`,
    })
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      create({ ...form, total_amount: '1770.50', period_end: addDays('2025-04-05', index) }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
  const sums = answers.map((answer) => Number(answer.json().data.entries_amount))
  expect(sums.filter(Boolean)).toEqual([1770.5])
  expect(answers.filter((answer) => answer.json().meta.warnings?.includes('PERIOD_OVERLAP'))).toHaveLength(9)
  const owners = await Promise.all([...march, april].map(({ id }) => stateOf(id)))
  expect(new Set(owners.map(({ payment_id }) => payment_id)).size).toBe(1)
})

test('ten times the same payment at once is one payment', async () => {
  const { form } = await makeMarch()
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(form)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
  expect(answers.find(({ status }) => status === 409)?.json()).toMatchObject({
    message: 'Ya existe un pago de esta relación para el mismo periodo',
    meta: { code: 'DUPLICATE_PAYMENT' },
  })
})

test('ten changes of status at once leave the entries with the last one', async () => {
  const { form } = await makeMarch()
  const { id } = (await create(form)).json().data
  const statuses = [
    'paid',
    'cancelled',
    'pending',
    'paid',
    'processing',
    'cancelled',
    'paid',
    'pending',
    'paid',
    'cancelled',
  ]
  const put = (payment_status: string) =>
    admin.put(`/api/v1/payments/${id}/`, { payment_status, cancel_reason: 'Se repite el pago' })
  for (const answer of await Promise.all(statuses.map(put))) expect(answer.status, answer.text).toBe(200)
  const payment: Payment = (await admin.get(`/api/v1/payments/${id}/`)).json().data
  const expected =
    payment.payment_status === 'cancelled'
      ? []
      : Array(3).fill(payment.payment_status === 'paid' ? 'paid' : 'in_payment')
  expect((await entriesIn(server.db, id)).map(({ state }) => state)).toEqual(expected)
})

test('a cancelled payment leaves its period free, and cannot come back into a taken one', async () => {
  const { form } = await makeMarch()
  const { id } = (await create({ ...form, payment_status: 'cancelled' })).json().data
  const second = await create(form)
  expect(second.status).toBe(201)
  expect(second.json().meta.warnings).toBeUndefined()
  expect((await admin.put(`/api/v1/payments/${id}/`, { payment_status: 'pending' })).status).toBe(409)
  const overlap = await admin.put(`/api/v1/payments/${id}/`, { payment_status: 'pending', period_end: '2025-03-20' })
  expect(overlap.json()).toMatchObject({ data: { entries_amount: '0.00' }, meta: { warnings: ['PERIOD_OVERLAP'] } })
})

test('of a relationship that ended without a balance nothing is paid', async () => {
  const { ids, relationship } = await makePair(server.db)
  const form = paymentForm(relationship.id)
  const setStatus = (relationship_status: string) =>
    server.db.updateTable('relationship').set({ relationship_status }).where('id', '=', ids.relationship_id).execute()
  await setStatus('inactive')
  const refused = await create(form)
  expect([refused.status, refused.json().meta.field_errors]).toEqual([
    422,
    { relationship: ['La relación está inactiva'] },
  ])
  await setStatus('active')
  const { id } = (await create(form)).json().data
  await setStatus('inactive')
  expect((await admin.put(`/api/v1/payments/${id}/`, { ...form, payment_status: 'paid' })).status).toBe(200)
  expect((await create({ ...form, relationship: 999_999 })).json().errors).toEqual(['Debe seleccionar una relación'])
})

test('every write is in the audit trail, and leaving paid is said', async () => {
  const { form } = await makeMarch()
  const { id } = (await create({ ...form, payment_status: 'paid' })).json().data
  await admin.put(`/api/v1/payments/${id}/`, { id, payment_status: 'pending', notes: 'Se devolvió' })
  const other = (await create({ ...form, period_end: '2025-03-30' })).json().data.id
  await admin.delete(`/api/v1/payments/${other}/`)
  const trail = await server.db
    .selectFrom('audit_entry')
    .select(['action', 'label', 'changes'])
    .where('entity', '=', 'payment')
    .where('entity_id', 'in', [id, other])
    .orderBy('id')
    .execute()
  expect(trail.map(({ action }) => action)).toEqual(['create', 'update', 'create', 'delete'])
  expect(trail[1]).toMatchObject({
    label: '2025-03-01 - 2025-03-31',
    changes: {
      payment_status: ['paid', 'pending'],
      notes: ['', 'Se devolvió'],
      note: [null, 'El pago dejó de estar pagado'],
    },
  })
})

test('two administrators do not overwrite each other when they say what they saw', async () => {
  const { form } = await makeMarch()
  const { id, updated_at } = (await create(form)).json().data
  const put = () =>
    admin.put(`/api/v1/payments/${id}/`, { notes: 'Listo' }, { headers: { 'if-match': `"${updated_at}"` } })
  expect([(await put()).status, (await put()).status]).toEqual([200, 412])
})

test('the entries stay with who earned them when the relationship moves to another pair', async () => {
  const { ids, form, march, affiliate, issuer } = await makeMarch()
  const next = await makeIssuer(server.db)
  const ended = { relationship_id: null, archived_at: new Date().toISOString() }
  await server.db.updateTable('commission').set(ended).where('relationship_id', '=', ids.relationship_id).execute()
  await server.db
    .updateTable('relationship')
    .set({ issuer_id: next.id })
    .where('id', '=', ids.relationship_id)
    .execute()
  expect((await create(form)).json().data).toMatchObject({ issuer: next.id, entries_amount: '0.00' })
  const again = await makeRelationship(server.db, { affiliate_id: affiliate.id, issuer_id: issuer.id })
  const { id } = (await create({ ...form, relationship: again.id })).json().data
  expect((await entriesIn(server.db, id)).map((entry) => entry.id)).toEqual(march.map((entry) => entry.id))
})

test('a period that ends today is taken', async () => {
  const { relationship, ids } = await makePair(server.db)
  await makeEntry(server.db, ids, { amount: '33.00' })
  const answer = await create({ ...paymentForm(relationship.id), period_start: addDays(today, -1), period_end: today })
  expect(answer.json().data).toMatchObject({ entries_amount: '33.00', period_duration_days: 2 })
})

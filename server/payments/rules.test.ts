import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PaymentPreview } from '#contract/payment-preview.ts'
import type { Payment } from '#contract/payments.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { makeEntry } from '#db/factories.ts'
import {
  makeAffiliate,
  makeIssuer,
  makeLead,
  makePair,
  makeRelationship,
  startServer,
  type TestClient,
  type TestServer,
} from '../testing.ts'
import { paymentForm } from './testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const today = dateInMexico()
const create = (form: Record<string, unknown>) => admin.post('/api/v1/payments/', form)
const idsOf = (answer: { json: () => { data: Payment[] } }) => answer.json().data.map(({ id }) => id)

test('what the form refuses is refused with its words, field by field', async () => {
  const { relationship } = await makePair(server.db)
  const form = paymentForm(relationship.id)
  const said = async (body: Record<string, unknown>) => {
    const answer = await create(body)
    expect(answer.status).toBe(422)
    return answer.json().meta.field_errors
  }
  expect(await said({})).toMatchObject({
    relationship: ['Debe seleccionar una relación'],
    period_start: ['La fecha de inicio es requerida'],
    period_end: ['La fecha de fin es requerida'],
    total_amount: ['El monto es requerido'],
    payment_date: ['La fecha de pago es requerida'],
  })
  expect(await said({ ...form, period_end: '2025-02-28', total_conversions: 11, notes: 'ñ'.repeat(501) })).toEqual({
    period_end: ['La fecha de fin debe ser posterior a la fecha de inicio'],
    total_conversions: ['Las conversiones no pueden ser mayores que los leads'],
    notes: ['Máximo 500 caracteres'],
  })
})

test('the status is one of the four and pending by default', async () => {
  const { relationship } = await makePair(server.db)
  const form = paymentForm(relationship.id)
  expect((await create({ ...form, payment_status: 'lost' })).status).toBe(422)
  expect((await create(form)).json().data.payment_status).toBe('pending')
})

test('the limits themselves are taken', async () => {
  const { relationship } = await makePair(server.db)
  const form = { ...paymentForm(relationship.id), total_leads: 5, total_conversions: 5, total_amount: '9999999999.99' }
  const answer = await create({ ...form, notes: 'ñ'.repeat(500), payment_date: addDays(today, 30) })
  expect(answer.json().data).toMatchObject({
    conversion_rate: 100,
    total_amount: '9999999999.99',
    adjustment: '9999999999.99',
  })
  const none = await admin.put(`/api/v1/payments/${answer.json().data.id}/`, { total_leads: 0, total_conversions: 0 })
  expect(none.json().data.conversion_rate).toBe(0)
})

test('a partial update is judged together with what is stored', async () => {
  const { relationship } = await makePair(server.db)
  const { id } = (await create(paymentForm(relationship.id))).json().data
  const put = (change: Record<string, unknown>) => admin.put(`/api/v1/payments/${id}/`, change)
  const messageOf = async (change: Record<string, unknown>) => (await put(change)).json().message
  expect(await messageOf({ total_leads: 2 })).toBe('Las conversiones no pueden ser mayores que los leads')
  expect(await messageOf({ total_conversions: 11 })).toBe('Las conversiones no pueden ser mayores que los leads')
  expect(await messageOf({ period_start: '2025-03-31' })).toBe(
    'La fecha de fin debe ser posterior a la fecha de inicio',
  )
  expect(await messageOf({ period_end: '2025-02-01' })).toBe('La fecha de fin debe ser posterior a la fecha de inicio')
  expect(await messageOf({ payment_date: '' })).toBe('La fecha de pago es requerida')
  expect((await put({ id: id + 1 })).status).toBe(400)
  const changed = await put({ id, total_amount: '7', affiliate: 9, issuer: 9, entries_amount: '1.00' })
  expect(changed.json()).toMatchObject({
    message: 'Pago actualizado exitosamente',
    data: { total_amount: '7.00', entries_amount: '0.00' },
  })
})

test('each role reads its own payments and writes none', async () => {
  const [mine, other] = [await makePair(server.db), await makePair(server.db)]
  const own = (await create(paymentForm(mine.relationship.id))).json().data.id
  const foreign = (await create(paymentForm(other.relationship.id))).json().data.id
  for (const actor of [
    { role: 'issuer' as const, issuerId: mine.issuer.id },
    { role: 'affiliate' as const, affiliateId: mine.affiliate.id },
  ]) {
    const client = await server.as(actor)
    expect(idsOf(await client.get('/api/v1/payments/'))).toEqual([own])
    expect(idsOf(await client.get(`/api/v1/payments/?issuer=${other.issuer.id}`))).toEqual([])
    for (const tail of ['', 'entries/']) {
      expect((await client.get(`/api/v1/payments/${own}/${tail}`)).status).toBe(200)
      expect((await client.get(`/api/v1/payments/${foreign}/${tail}`)).status).toBe(404)
    }
    expect((await client.post('/api/v1/payments/', paymentForm(mine.relationship.id))).status).toBe(403)
    expect((await client.put(`/api/v1/payments/${own}/`, { notes: 'x' })).status).toBe(403)
    expect((await client.delete(`/api/v1/payments/${own}/`)).status).toBe(403)
    expect((await client.get(`/api/v1/payments/preview/?relationship=${mine.relationship.id}`)).status).toBe(403)
  }
})

test('the list is narrowed by affiliate, issuer, relationship, status and words of both names', async () => {
  const issuer = await makeIssuer(server.db, { company_name: 'Crédito del Ángel' })
  const affiliate = await makeAffiliate(server.db, { company_name: 'Comparador Águila' })
  const relationship = await makeRelationship(server.db, { affiliate_id: affiliate.id, issuer_id: issuer.id })
  const { id } = (await create({ ...paymentForm(relationship.id), payment_status: 'processing' })).json().data
  const other = await makePair(server.db)
  await create({ ...paymentForm(other.relationship.id), payment_status: 'paid' })
  const list = async (query: string) => idsOf(await admin.get(`/api/v1/payments/?${query}`))
  expect(await list(`affiliate=${affiliate.id}`)).toEqual([id])
  expect(await list(`issuer=${issuer.id}`)).toEqual([id])
  expect(await list(`relationship=${relationship.id}`)).toEqual([id])
  expect(await list('payment_status=processing')).toEqual([id])
  expect(await list('search=aguila%20ANGEL')).toEqual([id])
  expect(await list('search=aguila%20nadie')).toEqual([])
  expect(await list('search=%25')).toEqual([])
  expect((await admin.get('/api/v1/payments/?payment_status=lost')).status).toBe(400)
})

test('the list comes whole and latest period first, or a page at a time', async () => {
  const { relationship } = await makePair(server.db)
  const months = ['2025-01', '2025-03', '2025-02']
  const periodOf = (month: string) => ({ period_start: `${month}-01`, period_end: `${month}-28` })
  for (const month of months) await create({ ...paymentForm(relationship.id), ...periodOf(month) })
  const starts = async (query: string) => {
    const answer = await admin.get(`/api/v1/payments/?relationship=${relationship.id}${query}`)
    return answer.json().data.map((payment: Payment) => payment.period_start)
  }
  expect(await starts('')).toEqual(['2025-03-01', '2025-02-01', '2025-01-01'])
  expect(await starts('&page=2&page_size=2')).toEqual(['2025-01-01'])
  expect(await starts('&page=9&page_size=2')).toEqual([])
})

test('a list is cut after 5,000 rows and says so; an offset gives the rest', async () => {
  const pair = await makePair(server.db)
  await sql`insert into payment
    (relationship_id, affiliate_id, issuer_id, period_start, period_end, total_leads, total_conversions, total_amount)
    select ${pair.relationship.id}::bigint, ${pair.affiliate.id}::bigint, ${pair.issuer.id}::bigint, day, day + 1, 1, 1, 0
    from generate_series(1, 5002) as number, lateral (select date '2030-01-01' - number as day) as d`.execute(server.db)
  const read = async (query: string) => {
    const { data, meta } = (await admin.get(`/api/v1/payments/?affiliate=${pair.affiliate.id}${query}`)).json()
    return [data.length, data[0]?.period_start, meta.truncated]
  }
  expect(await read('')).toEqual([5000, '2029-12-31', true])
  expect(await read('&offset=2')).toEqual([5000, '2029-12-29', undefined])
  expect(await read('&offset=5000')).toEqual([2, '2016-04-23', undefined])
  expect(await read('&offset=6000')).toEqual([0, undefined, undefined])
})

test.each([
  ['page', 'Debe ser un número de página válido', ['0', '-1', '1.5', '1e3', 'abc', '9'.repeat(22)]],
  ['page_size', 'Debe ser un número de filas válido', ['0', '-1', '2.5', 'abc', '9'.repeat(22)]],
  ['offset', 'Debe ser un número de filas válido', ['-1', '1.5', '1e3', 'abc', '9'.repeat(22)]],
])('what is no %s is refused in plain words', async (name, message, values) => {
  for (const value of values) {
    const answer = await admin.get(`/api/v1/payments/?${name}=${value}`)
    expect([answer.status, answer.json().message], value).toEqual([400, message])
  }
})

const preview = async (query: Record<string, string | number>): Promise<PaymentPreview> =>
  (
    await admin.get(
      `/api/v1/payments/preview/?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}`,
    )
  ).json().data

test('the preview shows what a payment would hold, a page at a time, and which payments hold the rest', async () => {
  const { relationship, ids } = await makePair(server.db)
  const query = { relationship: relationship.id, period_start: '2025-03-01', period_end: '2025-03-31' }
  const held = await makeEntry(server.db, ids, { amount: '90.00', earned_at: '2025-03-02T12:00:00Z' })
  const first = (await create({ ...paymentForm(relationship.id), period_end: '2025-03-05' })).json().data
  const entry = await makeEntry(server.db, ids, { amount: '500.10', earned_at: '2025-03-10T12:00:00Z' })
  await makeEntry(server.db, ids, { amount: '200.20', earned_at: '2025-03-11T12:00:00Z', lead_id: entry.lead_id })
  await makeEntry(server.db, ids, { amount: '1.00', earned_at: '2025-04-02T12:00:00Z' })
  await makeLead(server.db, { ...ids, created_at: '2025-04-01T05:59:59Z' })
  expect(await preview({ ...query, page_size: 1, page: 2 })).toMatchObject({
    total_leads: 3,
    total_conversions: 1,
    conversion_rate: 33.33,
    total_amount: '700.30',
    entries: {
      results: [{ amount: '200.20', state: 'accrued', payment_id: null }],
      pagination: { count: 2, current_page: 2, total_pages: 2, page_size: 1 },
    },
    held_elsewhere: [{ payment_id: first.id, entries: 1, amount: '90.00' }],
  })
  const own = await preview({ ...query, payment: first.id })
  expect(own).toMatchObject({ total_amount: '790.30', total_conversions: 2, held_elsewhere: [] })
  expect(own.entries.results[0]).toMatchObject({ id: held.id, payment_id: first.id })
  const changed = await admin.put(`/api/v1/payments/${first.id}/`, {
    period_end: '2025-03-31',
    total_amount: own.total_amount,
  })
  expect(changed.json().data).toMatchObject({ entries_amount: '790.30', adjustment: '0.00' })
})

test('an entry taken back from a payment is no longer held by it', async () => {
  const { relationship, ids } = await makePair(server.db)
  const query = { relationship: relationship.id, period_start: '2025-03-01', period_end: '2025-03-31' }
  const [kept, taken] = [
    await makeEntry(server.db, ids, { amount: '90.00', earned_at: '2025-03-02T12:00:00Z' }),
    await makeEntry(server.db, ids, { amount: '40.00', earned_at: '2025-03-03T12:00:00Z' }),
  ]
  const first = (await create({ ...paymentForm(relationship.id), period_end: '2025-03-05' })).json().data
  const heldSince = async (period_start: string) => (await preview({ ...query, period_start })).held_elsewhere
  expect(await heldSince('2025-03-01')).toEqual([{ payment_id: first.id, entries: 2, amount: '130.00' }])
  expect(await heldSince('2025-03-03')).toEqual([{ payment_id: first.id, entries: 1, amount: '40.00' }])
  expect(await heldSince('2025-03-04')).toEqual([])
  const takeBack = async (id: number) =>
    server.db.updateTable('commission_entry').set({ state: 'reversed' }).where('id', '=', id).execute()
  await takeBack(taken.id)
  expect(await preview(query)).toMatchObject({
    total_amount: '0.00',
    held_elsewhere: [{ payment_id: first.id, entries: 1, amount: '90.00' }],
  })
  expect(await heldSince('2025-03-03')).toEqual([])
  await takeBack(kept.id)
  expect(await heldSince('2025-03-01')).toEqual([])
})

test('a preview shows unpaid entries of earlier days, between payments too', async () => {
  const { relationship, ids } = await makePair(server.db)
  const april = { relationship: relationship.id, period_start: '2025-04-01', period_end: '2025-04-30' }
  expect((await preview(april)).unpaid_before).toEqual({ entries: 0, amount: '0.00', since: null })
  await makeEntry(server.db, ids, { amount: '90.00', earned_at: '2025-03-02T12:00:00Z' })
  await create({ ...paymentForm(relationship.id), period_start: '2025-03-01', period_end: '2025-03-31' })
  await makeEntry(server.db, ids, { amount: '500.10', earned_at: '2025-03-31T23:30:00-06:00' })
  await makeEntry(server.db, ids, { amount: '7.00', earned_at: '2025-04-01T00:00:00-06:00' })
  expect(await preview(april)).toMatchObject({
    total_amount: '7.00',
    unpaid_before: { entries: 1, amount: '500.10', since: '2025-03-31' },
  })
  await create({ ...paymentForm(relationship.id), period_start: '2025-03-31', period_end: '2025-04-30' })
  expect(
    (await preview({ ...april, period_start: '2025-05-01', period_end: '2025-05-31' })).unpaid_before.entries,
  ).toBe(0)
})

test('a preview counts what was taken back', async () => {
  const { relationship, ids } = await makePair(server.db)
  const paid = await makeEntry(server.db, ids, { amount: '500.00', earned_at: '2025-02-10T12:00:00Z' })
  const form = paymentForm(relationship.id)
  await create({ ...form, period_start: '2025-02-01', period_end: '2025-02-28', payment_status: 'paid' })
  await makeEntry(server.db, ids, {
    amount: '-500.00',
    reversal_of: paid.id,
    lead_id: paid.lead_id,
    earned_at: '2025-03-02T12:00:00Z',
  })
  await makeEntry(server.db, ids, { amount: '800.00', earned_at: '2025-03-03T12:00:00Z' })
  const march = { relationship: relationship.id, period_start: form.period_start, period_end: form.period_end }
  expect(await preview(march)).toMatchObject({
    total_leads: 1,
    total_conversions: 0,
    conversion_rate: 0,
    total_amount: '300.00',
  })
})

test('a preview without parameters, without a pair or of the future is refused', async () => {
  const { relationship } = await makePair(server.db)
  const status = async (query: string) => (await admin.get(`/api/v1/payments/preview/?${query}`)).status
  const period = 'period_start=2025-03-01&period_end=2025-03-31'
  expect(await status(period)).toBe(400)
  expect(await status(`relationship=${relationship.id}&period_start=2025-03-31&period_end=2025-03-01`)).toBe(400)
  expect(await status(`relationship=999999&${period}`)).toBe(404)
  expect(await status(`relationship=${relationship.id}&payment=999999&${period}`)).toBe(404)
})

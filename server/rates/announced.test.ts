import { afterAll, beforeAll, expect, test } from 'vitest'
import { dateInMexico } from '#contract/time.ts'
import { EVENTS, entriesOf, makeFunnel } from '../events/testing.ts'
import { paymentForm } from '../payments/testing.ts'
import { makeLead, startServer, type TestServer, untilLockWait } from '../testing.ts'
import { begin } from './testing.ts'

const RATES = '/api/v1/rates/'
const PAYOUTS = '/api/v1/payouts/'
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const inMs = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
const DAY_MS = 86_400_000

async function makeTerms() {
  const funnel = await makeFunnel(server)
  const [issuer, affiliate] = [
    await server.as({ role: 'issuer', issuerId: funnel.issuer.id }),
    await server.as({ role: 'affiliate', affiliateId: funnel.affiliate.id }),
  ]
  const commission_id = funnel.commission.id
  const announce = (amount: string, valid_from: string, client = issuer) =>
    client.post(RATES, { commission_id, amount, valid_from })
  const own = async () => (await affiliate.get(`/api/v1/products/${funnel.product.id}/`)).json().data.commission
  const listed = async () => (await issuer.get(`${PAYOUTS}${commission_id}/`)).json().data
  return { funnel, issuer, affiliate, commission_id, announce, own, listed }
}

test('an announced amount is seen by the affiliate at once and begins at its moment', async () => {
  const { funnel, affiliate, announce, own, listed } = await makeTerms()
  const planned = inMs(DAY_MS)
  const answer = await announce('900.5', planned)
  expect([answer.status, answer.json().data]).toMatchObject([
    201,
    { from: '500.00', to: '900.50', valid_from: planned },
  ])
  const send = (lead: { tracking_id: string }) =>
    funnel.client.post(EVENTS, { tracking_id: lead.tracking_id, event_type: 'aprobado' })
  await send(funnel.lead)
  const next = { id: answer.json().data.id, payout: '900.50', since: planned }
  expect(await own()).toMatchObject({ payout: '500.00', next })
  expect(await listed()).toMatchObject({ payout: '500.00', next })
  const seen = (await affiliate.get(`${RATES}?product_id=${funnel.product.id}`)).json().data
  expect(seen.map(({ to }: { to: string }) => to)).toEqual(['900.50', '500.00'])
  const later = await makeLead(server.db, funnel.ids)
  const since = await begin(server, next.id)
  await send(later)
  const earned = async (id: number) => (await entriesOf(server, id)).map(({ amount }) => amount)
  expect([await earned(funnel.lead.id), await earned(later.id)]).toEqual([['500.00'], ['900.50']])
  expect(await own()).toMatchObject({ payout: '900.50', since, next: null })
  expect(await listed()).toMatchObject({ payout: '900.50', next: null })
})

test('a change comes later than now, once for a moment, with an amount, for a commission of one’s own', async () => {
  const { issuer, affiliate, commission_id, announce } = await makeTerms()
  const tomorrow = inMs(DAY_MS)
  const past = await announce('600', inMs(-1))
  expect([past.status, past.json().meta.field_errors]).toEqual([422, { valid_from: ['La fecha debe ser futura'] }])
  for (const bad of ['mañana', '2026-13-01T00:00:00Z', tomorrow.slice(0, 10)])
    expect((await announce('600', bad)).json().meta.field_errors).toEqual({ valid_from: ['Fecha inválida'] })
  expect((await announce('-1', tomorrow)).status).toBe(422)
  expect((await announce('600', tomorrow.replace('Z', '+00:00'))).status).toBe(201)
  const twice = await announce('700', tomorrow)
  expect([twice.status, twice.json().message]).toEqual([409, 'Ya hay un cambio programado para ese momento'])
  const stranger = await makeTerms()
  for (const path of [RATES, `${RATES}preview/`]) {
    const body = { commission_id, amount: '1', valid_from: inMs(DAY_MS) }
    for (const id of [commission_id, 999_999_999]) {
      const answer = await stranger.issuer.post(path, { ...body, commission_id: id })
      expect(answer.json().meta.field_errors).toEqual({ commission_id: ['Selecciona una comisión'] })
    }
    expect((await affiliate.post(path, body)).status).toBe(403)
  }
  const both = await Promise.all([announce('1', inMs(9e8)), ...[1, 2, 3].map(() => announce('2', inMs(9e8 + 1)))])
  expect(both.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(2)
  expect((await issuer.get(`${RATES}?page=1&page_size=100`)).status).toBe(200)
})

test('while the relationship is inactive no amount of a commission is set, and what was announced can be taken back', async () => {
  const { funnel, issuer, commission_id, announce, listed } = await makeTerms()
  const event_step_id = funnel.steps.entregado.id
  const { id } = (await announce('900', inMs(DAY_MS))).json().data
  const ofStep = (await issuer.post(RATES, { commission_id, event_step_id, amount: '700' })).json().data.id
  const admin = await server.as({ role: 'admin' })
  const setStatus = (relationship_status: string) =>
    admin.put(`/api/v1/relationships/${funnel.relationship.id}/`, { relationship_status })
  await setStatus('inactive')
  const asked = { commission_id, amount: '800', valid_from: inMs(2 * DAY_MS) }
  for (const client of [issuer, admin])
    for (const body of [asked, { ...asked, event_step_id }, { commission_id, amount: '800' }])
      for (const path of [RATES, `${RATES}preview/`]) {
        const answer = await client.post(path, body)
        expect([answer.status, answer.json().message]).toEqual([422, 'Selecciona un afiliado válido'])
      }
  expect((await issuer.post(`${RATES}${id}/cancel/`)).status).toBe(200)
  expect((await issuer.post(`${RATES}${ofStep}/end/`)).status).toBe(200)
  expect(await listed()).toMatchObject({ payout: '500.00', next: null })
  await setStatus('active')
  expect((await issuer.post(RATES, asked)).status).toBe(201)
})

test('a change that has not begun can be taken back, by whoever may set it, and the trail tells both', async () => {
  const { issuer, affiliate, announce, own, commission_id } = await makeTerms()
  const { id } = (await announce('900', inMs(DAY_MS))).json().data
  const stranger = await makeTerms()
  const missing = await stranger.issuer.post(`${RATES}${id}/cancel/`)
  expect([missing.status, missing.json().message]).toEqual([404, 'Cambio programado no encontrado'])
  expect((await affiliate.post(`${RATES}${id}/cancel/`)).status).toBe(403)
  expect((await issuer.post(`${RATES}${id}/cancel/`)).status).toBe(200)
  expect(await own()).toMatchObject({ payout: '500.00', next: null })
  expect((await issuer.post(`${RATES}${id}/cancel/`)).status).toBe(404)
  const entries = await server.db
    .selectFrom('audit_entry')
    .select('changes')
    .where('entity', '=', 'commission')
    .where('entity_id', '=', commission_id)
    .orderBy('id')
    .execute()
  expect(entries.map(({ changes }) => (changes as { announced?: unknown }).announced)).toEqual([
    [null, '900.00'],
    ['900.00', null],
  ])
  const began = (await announce('900', inMs(DAY_MS))).json().data
  await begin(server, began.id)
  // In its last seconds events may earn by it before it is gone.
  const beginning = (await announce('910', inMs(4_000))).json().data
  for (const rate of [began, beginning]) {
    const late = await issuer.post(`${RATES}${rate.id}/cancel/`)
    expect([late.status, late.json().meta.code]).toEqual([409, 'RATE_BEGAN'])
  }
})

test('a commission that ends takes what was announced with it; a change of today leaves it', async () => {
  const { funnel, issuer, announce, own, commission_id, listed } = await makeTerms()
  await announce('900', inMs(DAY_MS))
  expect((await issuer.put(`${PAYOUTS}${commission_id}/`, { payout: '550' })).status).toBe(200)
  expect(await listed()).toMatchObject({ payout: '550.00', next: { payout: '900.00' } })
  await issuer.delete(`${PAYOUTS}${commission_id}/`)
  expect(await own()).toBeNull()
  const { product_id, affiliate_id } = funnel.ids
  await issuer.post(PAYOUTS, { product_id, affiliate_id, name: 'De nuevo', payout: '300' })
  expect(await own()).toMatchObject({ payout: '300.00', next: null })
})

test('the preview says what the last thirty days would have paid, and what keeps its amount', async () => {
  const { funnel, issuer, announce, commission_id } = await makeTerms()
  for (const _ of [1, 2, 3]) {
    const { tracking_id } = await makeLead(server.db, funnel.ids)
    await funnel.client.post(EVENTS, { tracking_id, event_type: 'aprobado' })
  }
  const preview = async (amount: string, valid_from: string) =>
    (await issuer.post(`${RATES}preview/`, { commission_id, amount, valid_from })).json().data
  const before = { earned: 3, kept: 3, kept_amount: '1500.00', affiliate_count: 1 }
  const { id: affiliate, company_name: affiliate_name } = funnel.affiliate
  expect(await preview('450.5', inMs(DAY_MS))).toEqual({
    from: '500.00',
    to: '450.50',
    difference: '-148.50',
    compensation: null,
    ...before,
    affiliates: [{ affiliate, affiliate_name, from: '500.00', earned: 3, difference: '-148.50' }],
  })
  await announce('900', inMs(DAY_MS))
  expect(await preview('1000', inMs(2 * DAY_MS))).toMatchObject({ from: '900.00', to: '1000.00', difference: '300.00' })
})

test('a paid commission that was taken back is not earned and keeps no amount; what gives it back is and does', async () => {
  const { funnel, issuer, commission_id } = await makeTerms()
  const send = ({ tracking_id }: { tracking_id: string }, event_type: string) =>
    funnel.client.post(EVENTS, { tracking_id, event_type })
  const today = dateInMexico()
  const period = { period_start: '2025-01-01', period_end: today, payment_date: today }
  await send(funnel.lead, 'aprobado')
  const admin = await server.as({ role: 'admin' })
  const form = { ...paymentForm(funnel.ids.relationship_id), ...period, total_amount: '500', payment_status: 'paid' }
  const pay = async (more: object = {}) =>
    expect((await admin.post('/api/v1/payments/', { ...form, ...more })).status).toBe(201)
  const kept = async () => {
    const asked = { commission_id, amount: '600', valid_from: inMs(DAY_MS) }
    const { earned, kept: count, kept_amount } = (await issuer.post(`${RATES}preview/`, asked)).json().data
    return [earned, count, kept_amount]
  }
  await pay()
  expect(await kept()).toEqual([1, 0, '0.00'])
  await send(funnel.lead, 'rechazado')
  await send(await makeLead(server.db, funnel.ids), 'aprobado')
  expect((await entriesOf(server, funnel.lead.id)).map(({ amount, state }) => [amount, state])).toEqual([
    ['500.00', 'paid'],
    ['-500.00', 'accrued'],
  ])
  expect(await kept()).toEqual([1, 1, '500.00'])
  // Paid with another commission, and then given back.
  await send(await makeLead(server.db, funnel.ids), 'aprobado')
  await pay({ period_start: '2025-01-02' })
  await admin.post(`/api/v1/leads/${funnel.lead.id}/restore/`, { note: 'El banco lo aclaró' })
  expect((await entriesOf(server, funnel.lead.id)).map(({ kind, state }) => [kind, state])).toEqual([
    ['commission', 'paid'],
    ['reversal', 'paid'],
    ['restoration', 'accrued'],
  ])
  expect(await kept()).toEqual([3, 1, '500.00'])
})

test('who changes an amount while the relationship ends waits for that, and nobody for them', async () => {
  const { funnel, commission_id, announce } = await makeTerms()
  const ending = await server.db.startTransaction().execute()
  const archived = { archived_at: new Date().toISOString() }
  const { relationship_id } = funnel.ids
  await ending.updateTable('relationship').set(archived).where('id', '=', relationship_id).execute()
  const answer = announce('900', inMs(DAY_MS))
  await untilLockWait(server.db)
  await ending.updateTable('commission').set(archived).where('id', '=', commission_id).execute()
  await ending.commit().execute()
  expect((await answer).status).toBe(422)
})

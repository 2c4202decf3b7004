import { afterAll, beforeAll, expect, test } from 'vitest'
import { testTrackingId } from '#contract/integration.ts'
import type { Rate, RateChange, RateInForce } from '#contract/rates.ts'
import { dateInMexico } from '#contract/time.ts'
import { EVENTS, entriesOf, type Funnel, makeFunnel, type TypeName } from '../events/testing.ts'
import { makeAffiliate, makeLead, makeRelationship, startServer, type TestClient, type TestServer } from '../testing.ts'
import { begin } from './testing.ts'

const RATES = '/api/v1/rates/'
const PAYOUTS = '/api/v1/payouts/'
const DAY_MS = 86_400_000
let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const inMs = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
const asAffiliate = ({ id }: { id: number }) => server.as({ role: 'affiliate', affiliateId: id })

/** An issuer with a commission for one affiliate, and a second affiliate without any. */
async function makeNetwork() {
  const funnel = await makeFunnel(server)
  const other = await makeAffiliate(server.db)
  const relationship = await makeRelationship(server.db, { affiliate_id: other.id, issuer_id: funnel.issuer.id })
  const ids = { ...funnel.ids, affiliate_id: other.id, relationship_id: relationship.id }
  const issuer = await server.as({ role: 'issuer', issuerId: funnel.issuer.id })
  const product_id = funnel.product.id
  const set = async (form: object, client = issuer) => client.post(RATES, form)
  const setDefault = async (amount: string, event_step_id: number | null = null) => {
    const answer = await set({ product_id, amount, event_step_id })
    expect(answer.status, answer.text).toBe(201)
    return answer.json().data as Rate
  }
  const inForce = async (client = issuer): Promise<RateInForce[]> =>
    (await client.get(`${RATES}in-force/?product_id=${product_id}`)).json().data
  return { funnel, other, ids, issuer, product_id, set, setDefault, inForce }
}

const send = ({ client }: Funnel, lead: { tracking_id: string }, event_type: TypeName) =>
  client.post(EVENTS, { tracking_id: lead.tracking_id, event_type })
const earned = async (id: number) => (await entriesOf(server, id)).map(({ amount }) => amount)
const own = async (client: TestClient, product: number) =>
  (await client.get(`/api/v1/products/${product}/`)).json().data.commission

test('a default pays each affiliate of the product that has no rate of its own, and warns no longer', async () => {
  const { funnel, other, ids, issuer, setDefault } = await makeNetwork()
  const [unpaid, paid] = [await makeLead(server.db, ids), funnel.lead]
  const warned = await send(funnel, unpaid, 'aprobado')
  expect(warned.json().meta.warnings).toEqual(['NO_COMMISSION'])
  const rehearse = () =>
    funnel.client.post(EVENTS, { tracking_id: testTrackingId(funnel.product.id), event_type: 'aprobado' })
  const gaps = async () => (await issuer.get(`${PAYOUTS}gaps/`)).json().data.length
  expect(await gaps()).toBe(1)
  expect(await own(await asAffiliate(other), funnel.product.id)).toBeNull()
  const { id } = await setDefault('300')
  expect(await gaps()).toBe(0)
  expect((await send(funnel, unpaid, 'entregado')).json().meta.warnings).toBeUndefined()
  await send(funnel, paid, 'aprobado')
  const [entry] = await entriesOf(server, unpaid.id)
  expect(entry).toMatchObject({ amount: '300.00', rate_id: id, commission_id: null, state: 'accrued' })
  expect(await earned(paid.id)).toEqual(['500.00'])
  expect((await rehearse()).json().data.commission).toMatchObject({ amount: '500.00' })
  expect(await own(await asAffiliate(other), funnel.product.id)).toMatchObject({ payout: '300.00', next: null })
  expect(await own(await asAffiliate(funnel.affiliate), funnel.product.id)).toMatchObject({ payout: '500.00' })
})

test('affiliate and step before affiliate, before product and step, before product', async () => {
  const { funnel, other, ids, set, setDefault } = await makeNetwork()
  const { aprobado, entregado } = funnel.steps
  await setDefault('300')
  await setDefault('350', entregado.id)
  await set({ commission_id: funnel.commission.id, event_step_id: aprobado.id, amount: '900' })
  const [mine, theirs] = [await makeLead(server.db, funnel.ids), await makeLead(server.db, ids)]
  for (const lead of [mine, theirs])
    for (const type of ['aprobado', 'entregado'] as const) await send(funnel, lead, type)
  expect([await earned(mine.id), await earned(theirs.id)]).toEqual([
    ['900.00', '500.00'],
    ['300.00', '350.00'],
  ])
  const steps = async (of: { id: number }) => (await own(await asAffiliate(of), funnel.product.id)).steps
  expect(await steps(other)).toMatchObject([
    { id: aprobado.id, name: aprobado.name, payout: '300.00', next: null },
    { id: entregado.id, name: entregado.name, payout: '350.00', next: null },
  ])
  expect((await steps(funnel.affiliate)).map(({ payout }: { payout: string }) => payout)).toEqual(['900.00', '500.00'])
})

test('a commission that ends takes its amounts by step with it, and the default counts from then on', async () => {
  const { funnel, issuer, set, setDefault, inForce } = await makeNetwork()
  await setDefault('300')
  const commission_id = funnel.commission.id
  await set({ commission_id, event_step_id: funnel.steps.aprobado.id, amount: '900' })
  await set({ commission_id, event_step_id: funnel.steps.entregado.id, amount: '950', valid_from: inMs(DAY_MS) })
  expect((await inForce()).map(({ affiliate, payout }) => [affiliate, payout])).toEqual([
    [null, '300.00'],
    [funnel.affiliate.id, '900.00'],
    [funnel.affiliate.id, null],
  ])
  await issuer.delete(`${PAYOUTS}${commission_id}/`)
  expect((await inForce()).map(({ affiliate }) => affiliate)).toEqual([null])
  const later = await makeLead(server.db, funnel.ids)
  await send(funnel, later, 'aprobado')
  // Who clicked while there was a commission earns it (D77).
  await send(funnel, funnel.lead, 'entregado')
  expect([await earned(later.id), await earned(funnel.lead.id)]).toEqual([['300.00'], ['500.00']])
  const affiliate = await asAffiliate(funnel.affiliate)
  const { payout, since } = await own(affiliate, funnel.product.id)
  const history = (await affiliate.get(`${RATES}?product_id=${funnel.product.id}`)).json().data as Rate[]
  expect(history.map(({ from, to, step }) => [from, to, step])).toEqual([
    ['500.00', '300.00', null],
    ['900.00', '300.00', funnel.steps.aprobado.id],
    ['500.00', '900.00', funnel.steps.aprobado.id],
    [null, '500.00', null],
  ])
  expect([payout, since]).toEqual(['300.00', history[0]?.valid_from])
})

test('a default that ends takes its steps with it, and what nobody pays is missing again', async () => {
  const { funnel, ids, issuer, setDefault, inForce } = await makeNetwork()
  const { id } = await setDefault('300')
  const byStep = await setDefault('350', funnel.steps.entregado.id)
  const clicked = await makeLead(server.db, ids)
  const stranger = await server.as({ role: 'issuer', issuerId: (await makeFunnel(server)).issuer.id })
  expect((await stranger.post(`${RATES}${id}/end/`)).status).toBe(404)
  expect((await (await asAffiliate(funnel.affiliate)).post(`${RATES}${id}/end/`)).status).toBe(403)
  expect((await issuer.post(`${RATES}${id}/end/`)).status).toBe(200)
  const again = await issuer.post(`${RATES}${id}/end/`)
  expect([again.status, again.json().meta.code]).toEqual([409, 'RATE_CHANGED'])
  expect((await issuer.post(`${RATES}${byStep.id}/end/`)).status).toBe(409)
  expect(await inForce()).toEqual([])
  const later = await makeLead(server.db, ids)
  expect((await send(funnel, later, 'aprobado')).json().meta.warnings).toEqual(['NO_COMMISSION'])
  await send(funnel, clicked, 'entregado')
  expect(await earned(clicked.id)).toEqual(['350.00'])
  const [gap] = (await issuer.get(`${PAYOUTS}gaps/`)).json().data
  expect(gap).toMatchObject({ unpaid_events: 1, unpaid_since: dateInMexico() })
  const [commission] = await issuer.get(`${RATES}?product_id=${funnel.product.id}`).then((all) => all.json().data)
  expect(commission).toMatchObject({ to: null })
})

test('a step of one’s own that pays, beside an amount for all; a commission ends in its own list', async () => {
  const { funnel, issuer, product_id, set } = await makeNetwork()
  const errors = async (form: object) => (await set(form)).json().meta.field_errors
  const { aprobado, step_1, rechazado } = funnel.steps
  expect(await errors({ product_id, event_step_id: aprobado.id, amount: '1' })).toEqual({
    event_step_id: ['Primero configura la tarifa general del producto'],
  })
  const foreign = (await makeFunnel(server)).steps.aprobado
  for (const { id } of [step_1, rechazado, foreign])
    expect(await errors({ commission_id: funnel.commission.id, event_step_id: id, amount: '1' })).toEqual({
      event_step_id: ['Selecciona un paso que genere comisión'],
    })
  expect(await errors({ amount: '1' })).toEqual({ product_id: ['Selecciona un producto'] })
  expect(await errors({ product_id, commission_id: funnel.commission.id, amount: '1' })).toEqual({
    product_id: ['Indica la comisión o el producto, no ambos'],
  })
  const stranger = await server.as({ role: 'issuer', issuerId: (await makeFunnel(server)).issuer.id })
  expect((await set({ product_id, amount: '1' }, stranger)).json().meta.field_errors).toEqual({
    product_id: ['Selecciona un producto'],
  })
  const rate = await server.db
    .selectFrom('rate')
    .select('id')
    .where('commission_id', '=', funnel.commission.id)
    .executeTakeFirstOrThrow()
  const refused = await issuer.post(`${RATES}${rate.id}/end/`)
  expect([refused.status, refused.json().meta.code]).toEqual([409, 'RATE_OF_COMMISSION'])
})

test('an announced default is seen by those it will pay alone, begins at its moment, and can be cancelled', async () => {
  const { funnel, other, ids, issuer, product_id, set } = await makeNetwork()
  const planned = inMs(DAY_MS / 2)
  const { id } = (await set({ product_id, amount: '250', valid_from: planned })).json().data
  expect(await own(await asAffiliate(other), product_id)).toBeNull()
  const history = async (client: TestClient) => (await client.get(`${RATES}?product_id=${product_id}`)).json().data
  expect(await history(await asAffiliate(other))).toMatchObject([{ id, affiliate: other.id, from: null, to: '250.00' }])
  expect(await history(await asAffiliate(funnel.affiliate))).toMatchObject([{ to: '500.00' }])
  const twice = await set({ product_id, amount: '260', valid_from: planned })
  expect([twice.status, twice.json().meta.code]).toEqual([409, 'RATE_EXISTS'])
  const later = (await set({ product_id, amount: '260', valid_from: inMs(DAY_MS) })).json().data
  const valid_from = await begin(server, id)
  const lead = await makeLead(server.db, ids)
  await send(funnel, lead, 'aprobado')
  expect(await earned(lead.id)).toEqual(['250.00'])
  const next = { id: later.id, payout: '260.00', since: later.valid_from }
  expect(await own(await asAffiliate(other), product_id)).toMatchObject({ payout: '250.00', since: valid_from, next })
  expect((await own(await asAffiliate(funnel.affiliate), product_id)).next).toBeNull()
  expect((await issuer.post(`${RATES}${later.id}/cancel/`)).status).toBe(200)
  expect(await own(await asAffiliate(other), product_id)).toMatchObject({ payout: '250.00', next: null })
})

test('the preview of a default is of those without a rate of their own, and not of steps with another amount', async () => {
  const { funnel, other, ids, product_id, issuer, setDefault } = await makeNetwork()
  await setDefault('300')
  await setDefault('350', funnel.steps.entregado.id)
  for (const of of [ids, ids, funnel.ids]) {
    const lead = await makeLead(server.db, of)
    for (const type of ['aprobado', 'entregado'] as const) await send(funnel, lead, type)
  }
  const preview = async (form: object) =>
    (await issuer.post(`${RATES}preview/`, { product_id, amount: '400', ...form })).json().data
  const one = { affiliate: other.id, affiliate_name: other.company_name }
  expect(await preview({})).toEqual({
    ...{ from: '300.00', to: '400.00', earned: 2, difference: '200.00', kept: 2, kept_amount: '600.00' },
    affiliate_count: 1,
    compensation: null,
    affiliates: [{ ...one, from: '300.00', earned: 2, difference: '200.00' }],
  })
  expect(await preview({ event_step_id: funnel.steps.entregado.id })).toMatchObject({
    ...{ from: '350.00', earned: 2, difference: '100.00', kept: 2, kept_amount: '700.00' },
    affiliates: [{ ...one, from: '350.00', earned: 2 }],
  })
  const ofOne = { commission_id: funnel.commission.id, product_id: undefined }
  expect(await preview({ ...ofOne, event_step_id: funnel.steps.entregado.id })).toMatchObject({
    ...{ from: null, earned: 1, difference: '-100.00', kept: 1, affiliate_count: 1 },
    affiliates: [{ affiliate: funnel.affiliate.id, from: '500.00' }],
  })
})

test('the trail and the history say who set what, by step too', async () => {
  const { funnel, issuer, product_id, set, setDefault } = await makeNetwork()
  const { aprobado } = funnel.steps
  await setDefault('300')
  await set({ product_id, amount: '320', valid_from: inMs(DAY_MS) })
  const byStep = (await set({ commission_id: funnel.commission.id, event_step_id: aprobado.id, amount: '900' })).json()
  await issuer.post(`${RATES}${byStep.data.id}/end/`)
  const trail = await server.db
    .selectFrom('audit_entry')
    .select(['entity', 'changes'])
    .where('entity_id', 'in', [product_id, funnel.commission.id])
    .where('actor_role', '=', 'issuer')
    .orderBy('id')
    .execute()
  expect(trail).toMatchObject([
    { entity: 'product', changes: { default_payout: [null, '300.00'] } },
    { entity: 'product', changes: { default_announced: [null, '320.00'] } },
    { entity: 'commission', changes: { payout: [null, '900.00'], event_step_id: [null, aprobado.id] } },
    { entity: 'commission', changes: { payout: ['900.00', null], event_step_id: [null, aprobado.id] } },
  ])
  const changes = (await admin.get(`${PAYOUTS}${funnel.commission.id}/history/`)).json().data
  expect(changes).toMatchObject([
    { from: '900.00', to: null, step_name: aprobado.name, actor_role: 'issuer' },
    { from: null, to: '900.00', step_name: aprobado.name, actor_role: 'issuer' },
    { from: null, to: '500.00', step_name: null },
  ])
})

test('the history of a default, and of one step, says who set what from when; of strangers nothing', async () => {
  const { funnel, other, issuer, product_id, set, setDefault, inForce } = await makeNetwork()
  const { aprobado } = funnel.steps
  await setDefault('300')
  await setDefault('350', aprobado.id)
  await set({ product_id, amount: '320' }, admin)
  const announced = inMs(DAY_MS)
  await set({ product_id, amount: '400', valid_from: announced })
  const [all, step] = await inForce()
  const history = async (client: TestClient, id = 0) => {
    const answer = await client.get(`${RATES}${id}/history/`)
    expect(answer.status, answer.text).toBe(200)
    return (answer.json().data as RateChange[]).map(({ from, to, step_name, actor_role }) => [
      ...[from, to, step_name, actor_role],
    ])
  }
  const ofStep = [null, '350.00', aprobado.name, 'issuer']
  for (const client of [admin, issuer]) {
    expect(await history(client, all?.id)).toEqual([
      ['320.00', '400.00', null, 'issuer'],
      ['300.00', '320.00', null, 'admin'],
      ofStep,
      [null, '300.00', null, 'issuer'],
    ])
    expect(await history(client, step?.id)).toEqual([ofStep])
  }
  await issuer.post(`${RATES}${step?.id}/end/`)
  expect((await history(issuer, all?.id))[1]).toEqual(['350.00', null, aprobado.name, 'issuer'])
  const [last] = (await issuer.get(`${RATES}${all?.id}/history/?page=1&page_size=3`)).json().data
  expect(last).toMatchObject({ changed_at: announced, actor_name: expect.stringMatching(/\S/) })
  const names = (await issuer.get(`${RATES}${all?.id}/history/`)).json().data
  expect(names.find(({ actor_role }: RateChange) => actor_role === 'admin')?.actor_name).toBe('')
  const stranger = await makeNetwork()
  expect((await stranger.issuer.get(`${RATES}${all?.id}/history/`)).status).toBe(404)
  expect((await admin.get(`${RATES}999999999/history/`)).status).toBe(404)
  expect((await (await asAffiliate(other)).get(`${RATES}${all?.id}/history/`)).status).toBe(403)
})

test('with its product, a default ends', async () => {
  const { product_id, setDefault } = await makeNetwork()
  await setDefault('300')
  expect((await admin.delete(`/api/v1/products/${product_id}/`)).status).toBe(204)
  const last = await server.db
    .selectFrom('rate')
    .select('amount')
    .where('product_id', '=', product_id)
    .where('affiliate_id', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(last).toEqual({ amount: null })
})

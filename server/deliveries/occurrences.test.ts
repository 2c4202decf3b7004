import { afterAll, beforeAll, expect, test } from 'vitest'

import { testTrackingId } from '#contract/integration.ts'
import { makeEntry } from '#db/factories.ts'
import { EVENTS, entriesOf, type Funnel, makeFunnel, type TypeName } from '../events/testing.ts'
import { paymentForm } from '../payments/testing.ts'
import { retainOnce } from '../privacy/retention.ts'
import { makePair, startServer, type TestClient, type TestServer } from '../testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const send = ({ client, lead }: Funnel, event_type: TypeName, event_id: string, tracking_id = lead.tracking_id) =>
  client.post(EVENTS, { tracking_id, event_type, event_id })

const occurrencesOf = (affiliateId: number) =>
  server.db
    .selectFrom('occurrence')
    .select(['type', 'event_id', 'entry_id', 'payment_id', 'tracking_id', 'product_id', 'issuer_id'])
    .where('affiliate_id', '=', affiliateId)
    .orderBy('id')
    .execute()

const typesOf = async (affiliateId: number) => (await occurrencesOf(affiliateId)).map(({ type }) => type)

test('an event and what it earned are one occurrence, once, whatever is repeated', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, 'step_1', 'a')
  expect((await send(funnel, 'aprobado', 'b')).status).toBe(201)
  expect((await send(funnel, 'aprobado', 'b')).status).toBe(200)
  const [entry] = await entriesOf(server, funnel.lead.id)
  const { tracking_id } = funnel.lead
  const same = { type: 'lead.event', tracking_id, product_id: funnel.product.id, issuer_id: funnel.issuer.id }
  expect(await occurrencesOf(funnel.affiliate.id)).toMatchObject([
    { ...same, entry_id: null },
    { ...same, entry_id: entry?.id, event_id: entry?.lead_event_id },
  ])
})

test('a rejection takes back, a ruling gives back, each commission for itself', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, 'aprobado', 'a')
  await send(funnel, 'entregado', 'b')
  await send(funnel, 'rechazado', 'c')
  await admin.post(`/api/v1/leads/${funnel.lead.id}/restore/`, { note: 'El banco lo aclaró' })
  const told = await typesOf(funnel.affiliate.id)
  const twice = (type: string) => [type, type]
  expect(told.slice(0, 3)).toEqual(['lead.event', 'lead.event', 'lead.event'])
  expect(told.slice(3)).toEqual([...twice('commission.reversed'), ...twice('commission.accrued')])
})

test('an event of a rejected lead earns nothing that anybody is told of', async () => {
  const funnel = await makeFunnel(server)
  await send(funnel, 'rechazado', 'a')
  await send(funnel, 'aprobado', 'b')
  expect((await occurrencesOf(funnel.affiliate.id)).map(({ entry_id }) => entry_id)).toEqual([null, null])
})

test('a test event tells nobody', async () => {
  const funnel = await makeFunnel(server)
  const answer = await funnel.client.post(EVENTS, {
    tracking_id: testTrackingId(funnel.product.id),
    event_type: 'aprobado',
  })
  expect(answer.status, answer.text).toBeLessThan(300)
  expect(await typesOf(funnel.affiliate.id)).toEqual([])
})

test('a payment is told of when it begins, is paid with its commissions, or is cancelled', async () => {
  const { ids } = await makePair(server.db)
  const entry = await makeEntry(server.db, ids, { earned_at: '2025-03-10T18:00:00Z' })
  const form = { ...paymentForm(ids.relationship_id), total_amount: '500.00' }
  const { id } = (await admin.post('/api/v1/payments/', form)).json().data
  const change = (body: object) => admin.put(`/api/v1/payments/${id}/`, body)
  await change({ notes: 'Con factura' })
  await change({ payment_status: 'paid' })
  expect(await occurrencesOf(ids.affiliate_id)).toMatchObject([
    { type: 'payment.created', payment_id: id, product_id: null },
    { type: 'payment.paid', payment_id: id },
    { type: 'commission.paid', payment_id: id, entry_id: entry.id },
  ])
  const other = (await admin.post('/api/v1/payments/', { ...form, period_start: '2025-02-01' })).json().data
  await admin.delete(`/api/v1/payments/${other.id}/`)
  expect((await typesOf(ids.affiliate_id)).slice(3)).toEqual(['payment.created', 'payment.cancelled'])
})

test('what happened is kept for sixty days', async () => {
  const { ids } = await makePair(server.db)
  const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const row = { type: 'lead.event', affiliate_id: ids.affiliate_id, issuer_id: ids.issuer_id }
  await server.db
    .insertInto('occurrence')
    .values([61, 61, 59].map((days) => ({ ...row, created_at: at(days) })))
    .execute()
  // The oldest by id are looked at first.
  await server.db.deleteFrom('occurrence').where('affiliate_id', '!=', ids.affiliate_id).execute()
  const terms = { rejectedDays: 90, addressDays: 30, dataMonths: 24, recordYears: 5 }
  expect((await retainOnce(server.appDb, terms)).occurrence).toBe(2)
  expect(await typesOf(ids.affiliate_id)).toHaveLength(1)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PaymentPreview } from '#contract/payment-preview.ts'
import type { Payment } from '#contract/payments.ts'
import { makeEntry } from '#db/factories.ts'
import { makeLead, makePair, startServer, type TestClient, type TestServer } from '../testing.ts'
import { paymentForm } from './testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const FEBRUARY = { period_start: '2025-02-01', period_end: '2025-02-28' }
const MARCH = { period_start: '2025-03-01', period_end: '2025-03-31' }
type Period = typeof MARCH

async function preview(relationship: number, period: Period): Promise<PaymentPreview> {
  const query = new URLSearchParams({ relationship: String(relationship), ...period })
  return (await admin.get(`/api/v1/payments/preview/?${query}`)).json().data
}

/** As the form does after 'Calcular'. */
async function savePreviewed(relationship: number, period: Period, payment_status = 'pending'): Promise<Payment> {
  const { total_leads, total_conversions, total_amount } = await preview(relationship, period)
  const totals = { total_leads, total_conversions, total_amount }
  const form = { ...paymentForm(relationship), ...period, ...totals, payment_status }
  const answer = await admin.post('/api/v1/payments/', form)
  expect(answer.status, answer.text).toBe(201)
  expect(answer.json().data).toMatchObject({ ...totals, adjustment: '0.00' })
  return answer.json().data
}

async function boardConversions(issuerId: number, from: string, to: string): Promise<number> {
  const answer = await admin.get(`/api/v1/figures/reports/performance/?from=${from}&to=${to}&issuer_id=${issuerId}`)
  return answer.json().data.totals.conversions
}

test('a lead with paying steps in two periods is one conversion: in previews, payments and boards', async () => {
  const { relationship, issuer, ids } = await makePair(server.db)
  const { lead_id } = await makeEntry(server.db, ids, { earned_at: '2025-02-20T12:00:00Z' })
  await makeEntry(server.db, ids, { earned_at: '2025-03-04T12:00:00Z', lead_id })
  expect((await preview(relationship.id, FEBRUARY)).total_conversions).toBe(1)
  expect((await preview(relationship.id, MARCH)).total_conversions).toBe(0)
  const both = { period_start: FEBRUARY.period_start, period_end: MARCH.period_end }
  expect((await preview(relationship.id, both)).total_conversions).toBe(1)
  const saved = [await savePreviewed(relationship.id, FEBRUARY), await savePreviewed(relationship.id, MARCH)]
  expect(saved.map(({ total_conversions }) => total_conversions)).toEqual([1, 0])
  expect(await boardConversions(issuer.id, '2025-02-01', '2025-02-28')).toBe(1)
  expect(await boardConversions(issuer.id, '2025-03-01', '2025-03-31')).toBe(0)
  expect(await boardConversions(issuer.id, '2025-02-01', '2025-03-31')).toBe(1)
})

test('leads of earlier days that convert in the period count among its leads, so that it can be saved', async () => {
  const { relationship, ids } = await makePair(server.db)
  for (const day of ['20', '21', '22']) {
    const lead = await makeLead(server.db, { ...ids, created_at: `2025-02-${day}T12:00:00Z` })
    await makeEntry(server.db, ids, { earned_at: '2025-03-04T12:00:00Z', lead_id: lead.id })
  }
  const filled = { total_leads: 3, total_conversions: 3, conversion_rate: 100, total_amount: '1500.00' }
  expect(await preview(relationship.id, MARCH)).toMatchObject(filled)
  expect(await savePreviewed(relationship.id, MARCH)).toMatchObject(filled)
  for (let count = 0; count < 5; count += 1) await makeLead(server.db, { ...ids, created_at: '2025-02-23T12:00:00Z' })
  expect(await preview(relationship.id, FEBRUARY)).toMatchObject({ total_leads: 8, total_conversions: 0 })
})

test('a conversion that was paid and taken back is one less, in the preview and on the board', async () => {
  const { relationship, issuer, ids } = await makePair(server.db)
  const taken = await makeEntry(server.db, ids, { earned_at: '2025-02-20T12:00:00Z' })
  const second = await makeEntry(server.db, ids, { earned_at: '2025-02-21T12:00:00Z', lead_id: taken.lead_id })
  await savePreviewed(relationship.id, FEBRUARY, 'paid')
  for (const entry of [taken, second])
    await makeEntry(server.db, ids, {
      amount: '-500.00',
      earned_at: '2025-03-02T12:00:00Z',
      lead_id: entry.lead_id,
      reversal_of: entry.id,
    })
  for (let count = 0; count < 3; count += 1) await makeEntry(server.db, ids, { earned_at: '2025-03-04T12:00:00Z' })
  expect(await preview(relationship.id, MARCH)).toMatchObject({ total_leads: 3, total_conversions: 2 })
  expect(await boardConversions(issuer.id, '2025-03-01', '2025-03-31')).toBe(2)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AdjustmentPage } from '#contract/adjustments.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { EVENTS, type Funnel, makeFunnel } from '../events/testing.ts'
import { paymentForm } from '../payments/testing.ts'
import { startServer, type TestClient, type TestServer } from '../testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const today = dateInMexico()

async function ok<T>(asked: ReturnType<TestClient['get']>): Promise<T> {
  const answer = await asked
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.json().data
}

/** A commission of 500.00 and its compensation of 100.00, both paid. */
async function payCompensated({ client, lead, commission, relationship }: Funnel): Promise<void> {
  await ok(client.post(EVENTS, { tracking_id: lead.tracking_id, event_type: 'aprobado' }))
  const valid_from = new Date(Date.now() + 60_000).toISOString()
  const compensation = { since: today, note: 'Lo acordamos con el banco', entries: 1, amount: '100.00' }
  await ok(admin.post('/api/v1/rates/', { commission_id: commission.id, amount: '600', valid_from, compensation }))
  const form = { ...paymentForm(relationship.id), period_start: addDays(today, -1), period_end: today }
  await ok(admin.post('/api/v1/payments/', { ...form, total_amount: '600.00', payment_status: 'paid' }))
}

test('a compensation that was taken back after it was paid adds up to nothing in every list', async () => {
  const funnel = await makeFunnel(server)
  await payCompensated(funnel)
  const { lead, issuer, affiliate } = funnel
  const viewers = [admin, await server.as({ role: 'issuer', issuerId: issuer.id })]
  const listed = async (client: TestClient, filter = '') => {
    const path = `/api/v1/adjustments/?issuer_id=${issuer.id}${filter}`
    const { amount, results } = await ok<AdjustmentPage>(client.get(path))
    return [amount, ...results.map((row) => `${row.kind} ${row.amount} ${row.state}`)]
  }
  const own = await server.as({ role: 'affiliate', affiliateId: affiliate.id })
  const earned = async () => (await ok<{ amount: string }>(own.get('/api/v1/commission-entries/'))).amount
  const paid = 'adjustment 100.00 paid'
  for (const client of viewers) expect(await listed(client)).toEqual(['100.00', paid])
  await ok(admin.post(`/api/v1/leads/${lead.id}/reject/`, { reason_code: 'fraude' }))
  for (const client of viewers) expect(await listed(client)).toEqual(['0.00', 'reversal -100.00 accrued', paid])
  expect(await earned()).toBe('0.00')
  expect(await listed(admin, '&kind=adjustment')).toHaveLength(3)
  expect(await listed(admin, '&kind=bonus')).toEqual(['0.00'])
  await ok(admin.post(`/api/v1/leads/${lead.id}/restore/`, { note: 'El banco lo aclaró' }))
  expect(await listed(admin)).toEqual(['100.00', 'reversal -100.00 reversed', paid])
  expect(await earned()).toBe('600.00')
})

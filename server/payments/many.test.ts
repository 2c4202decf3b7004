import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PaymentPreview } from '#contract/payment-preview.ts'
import { PAYMENT_ENTRIES_MAX } from '#contract/payments.ts'
import { makeEntry } from '#db/factories.ts'
import { isWhole } from '#db/testing.ts'
import { takes } from '../ledger/claims.ts'
import { makePair, startServer, type TestClient, type TestServer } from '../testing.ts'
import { paymentForm } from './testing.ts'

let server: TestServer
/** The fullest payment, of a hundred thousand pesos; as full as it may really be in `npm run test:all`. */
const MOST = isWhole ? PAYMENT_ENTRIES_MAX : 200
const EACH = 100_000 / MOST
beforeAll(async () => {
  takes.atMost = MOST
  server = await startServer()
})
afterAll(() => {
  takes.atMost = PAYMENT_ENTRIES_MAX
  return server.stop()
})

type TestPair = Awaited<ReturnType<typeof makePair>>

const march = (relationship: number) => ({ relationship, period_start: '2025-03-01', period_end: '2025-03-31' })

async function previewOf(admin: TestClient, asked: ReturnType<typeof march>): Promise<PaymentPreview> {
  const query = new URLSearchParams({ ...asked, relationship: String(asked.relationship) })
  const answer = await admin.get(`/api/v1/payments/preview/?${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json().data
}

async function payOf(admin: TestClient, asked: ReturnType<typeof march>, payment_status = 'pending') {
  const { total_leads, total_conversions, total_amount, entries_amount, upto } = await previewOf(admin, asked)
  const calculated = { total_leads, total_conversions, total_amount, entries_amount, upto }
  const form = { ...paymentForm(asked.relationship), ...asked, ...calculated, payment_status }
  const answer = await admin.post('/api/v1/payments/', form)
  expect(answer.status, answer.text).toBe(201)
  return answer.json()
}

/** A commission so many times. */
async function earn(pair: TestPair, amount: string, earned_at: string, times: number): Promise<void> {
  const { id } = await makeEntry(server.db, pair.ids, { amount, earned_at })
  await sql`insert into commission_entry (relationship_id, affiliate_id, issuer_id, product_id, lead_id, tracking_id, step_id,
      lead_event_id, amount, state, converts, earned_at, due_on)
    select relationship_id, affiliate_id, issuer_id, product_id, lead_id, tracking_id, step_id + number,
      lead_event_id, amount, state, converts, earned_at, due_on
    from commission_entry cross join generate_series(1, ${times - 1}::int) as number where id = ${id}`.execute(
    server.db,
  )
}

/** What was paid to the pair, as when its leads are rejected. */
const chargeBack = ({ ids }: TestPair, day: string) =>
  sql`insert into commission_entry (lead_id, tracking_id, step_id, lead_event_id, relationship_id, affiliate_id, issuer_id,
      product_id, amount, state, kind, reversal_of, reason, converts, earned_at, due_on)
    select lead_id, tracking_id, step_id, lead_event_id, relationship_id, affiliate_id, issuer_id,
      product_id, -amount, 'accrued', 'reversal', id, 'Lead rechazado', -converts, ${day}::date, ${day}::date
    from commission_entry where state = 'paid' and affiliate_id = ${ids.affiliate_id}`.execute(server.db)

test('a payment takes as many commissions as it may hold, the first ones; another takes the rest', async () => {
  const admin = await server.as({ role: 'admin' })
  const pair = await makePair(server.db)
  await earn(pair, EACH.toFixed(2), '2025-03-10T18:00:00Z', MOST + 1)
  const period = march(pair.relationship.id)
  const first = await payOf(admin, period)
  expect(first).toMatchObject({
    data: { total_amount: '100000.00', calculated_amount: '100000.00' },
    meta: { warnings: ['ENTRIES_LEFT'] },
  })
  const paid = await admin.put(`/api/v1/payments/${first.data.id}/`, { payment_status: 'paid' })
  expect(paid.status, paid.text).toBe(200)
  const rest = await payOf(admin, { ...period, period_end: '2025-04-01' })
  expect(rest).toMatchObject({ data: { total_amount: EACH.toFixed(2) }, meta: { warnings: ['PERIOD_OVERLAP'] } })
})

test('what is to be deducted is in it, however late it came', async () => {
  const admin = await server.as({ role: 'admin' })
  const pair = await makePair(server.db)
  await earn(pair, '30000.00', '2025-01-10T18:00:00Z', 1)
  await payOf(admin, { ...march(pair.relationship.id), period_start: '2025-01-01', period_end: '2025-01-31' }, 'paid')
  await earn(pair, EACH.toFixed(2), '2025-03-05T18:00:00Z', MOST + 100)
  await chargeBack(pair, '2025-02-20')
  const period = march(pair.relationship.id)
  expect(await previewOf(admin, period)).toMatchObject({
    total_amount: (70_000 - EACH).toFixed(2),
    carried: { entries: 1, amount: '-30000.00' },
    entries: { pagination: { count: MOST } },
  })
  expect(await payOf(admin, period)).toMatchObject({ meta: { warnings: ['ENTRIES_LEFT'] } })
  const rest = await payOf(admin, { ...period, period_end: '2025-04-01' })
  expect(rest.data.total_amount).toBe((101 * EACH).toFixed(2))
})

test('where so much is deducted that it fills a payment, it takes as much more as that needs', async () => {
  const admin = await server.as({ role: 'admin' })
  const pair = await makePair(server.db)
  await earn(pair, EACH.toFixed(2), '2025-01-10T18:00:00Z', MOST)
  await payOf(admin, { ...march(pair.relationship.id), period_start: '2025-01-01', period_end: '2025-01-31' }, 'paid')
  await chargeBack(pair, '2025-03-01')
  await earn(pair, '50000.00', '2025-03-05T18:00:00Z', 3)
  const period = march(pair.relationship.id)
  expect(await payOf(admin, period)).toMatchObject({
    data: { total_amount: '0.00', calculated_amount: '0.00' },
    meta: { warnings: ['ENTRIES_LEFT'] },
  })
  const rest = await payOf(admin, { ...period, period_end: '2025-04-01' })
  expect(rest.data.total_amount).toBe('50000.00')
})

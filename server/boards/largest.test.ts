import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { everyone } from '#contract/roles.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { makeEntry, makePayment } from '#db/factories.ts'
import { makePair, startServer, type TestServer } from '../testing.ts'
import { expectConserved, expectNoDrift, foldAllTotals } from '../totals/testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

/** As large as an entry can be; sums of many are as large as what anybody stored. */
const LARGEST = '9999999999999999.99'
const MANY = 40

const OF_MONEY = [
  ...['metrics', 'summary', 'reports', 'results', 'exports', 'leads'],
  ...['payments', 'commissionEntries', 'commissions', 'rates', 'adjustments', 'explain'],
] as (keyof typeof endpoints)[]

async function makeLargest() {
  const pair = await makePair(server.db)
  const { id, lead_id } = await makeEntry(server.db, pair.ids, { amount: LARGEST })
  await sql`
    insert into commission_entry (relationship_id, affiliate_id, issuer_id, product_id, amount, state, kind, author_id, due_on, converts, note)
    select relationship_id, affiliate_id, issuer_id, product_id, amount, state, 'bonus', (select min(id) from "user"), due_on, 0, 'Bono'
    from commission_entry, generate_series(1, ${MANY}) where id = ${id}`.execute(server.db)
  const day = dateInMexico()
  const payment = await makePayment(server.db, pair.ids, { total_amount: LARGEST, payment_date: addDays(day, 2) })
  return { ...pair, id, lead_id, payment, day }
}

test('one company with the largest amounts breaks no board, list, preview, export or total', async () => {
  await server.as({ role: 'admin' })
  const { issuer, affiliate, relationship, id, lead_id, payment, day } = await makeLargest()
  const actors = {
    admin: { role: 'admin' },
    issuer: { role: 'issuer', issuerId: issuer.id },
    affiliate: { role: 'affiliate', affiliateId: affiliate.id },
  } as const
  const [from, to] = [addDays(day, -9), day]
  /** What some calls cannot do without, and a period of days. */
  const asked = new URLSearchParams({ from, to, relationship: String(relationship.id), q: String(lead_id) })
  const period = new URLSearchParams({ period_start: from, period_end: to })
  const ids: Record<string, number> = { payments: payment.id, leads: lead_id, explain: id }
  for (const role of everyone) {
    const client = await server.as(actors[role])
    for (const noun of OF_MONEY)
      for (const { method, path, access } of Object.values<Endpoint>(endpoints[noun])) {
        if (method !== 'GET' || !access.includes(role as never) || (path.includes(':') && !ids[noun])) continue
        const formats = noun === 'exports' ? ['csv', 'xlsx'] : ['']
        for (const format of formats) {
          const address = `${path.replace(/:\w+/, String(ids[noun]))}?${asked}&${period}&format=${format}`
          const answer = await client.get(address)
          expect(answer.status, `${role} ${address}: ${answer.text}`).toBe(200)
        }
      }
    await foldAllTotals(server)
  }
  const overview = await (await server.as({ role: 'admin' })).get('/api/v1/metrics/overview/')
  expect(overview.json().data.month_income.value).toMatch(/^4\d{17}\.\d\d$/)
  await expectNoDrift(server.db)
  await expectConserved(server.db)
})

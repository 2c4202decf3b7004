import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STATEMENT_LINES_MAX } from '#contract/payment-statement.ts'
import { makeEntry } from '#db/factories.ts'
import { makeIssuer, makePair, startServer, type TestClient, type TestServer } from '../testing.ts'
import { paymentForm } from './testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

/** A payment of March with two entries, the later one made first. */
async function makePaid(total_amount = '1650.00') {
  const pair = await makePair(server.db)
  const later = await makeEntry(server.db, pair.ids, { amount: '1000.00', earned_at: '2025-03-20T12:00:00Z' })
  const first = await makeEntry(server.db, pair.ids, { amount: '600.00', earned_at: '2025-03-02T12:00:00Z' })
  const { id } = (
    await admin.post('/api/v1/payments/', {
      ...paymentForm(pair.relationship.id),
      total_amount,
      adjustment_reason: 'Bono',
    })
  ).json().data
  return { ...pair, id, lines: [first, later], url: `/api/v1/payments/${id}/statement/` }
}

test('a statement names both parties with their RFC and every line in the order in which it was earned', async () => {
  const { issuer, affiliate, id, lines, url } = await makePaid()
  const answer = await admin.get(url)
  expect(answer.status).toBe(200)
  expect(answer.json().data).toMatchObject({
    payment: { id, total_amount: '1650.00', entries_amount: '1600.00', adjustment: '50.00' },
    issuer: { company_name: issuer.company_name, rfc: issuer.rfc },
    affiliate: { company_name: affiliate.company_name, rfc: affiliate.rfc },
    lines: [
      ...lines.map(({ id: line, lead_id, amount }) => ({ id: line, lead_id, amount, state: 'in_payment' })),
      {
        lead_id: null,
        step_name: 'Ajuste',
        amount: '50.00',
        earned_at: '2025-03-31T06:00:00.000Z',
        is_difference: true,
      },
    ],
  })
})

test('the parties of a payment read its statement, and nobody else', async () => {
  const { issuer, affiliate, url } = await makePaid()
  for (const actor of [
    { role: 'issuer', issuerId: issuer.id },
    { role: 'affiliate', affiliateId: affiliate.id },
  ] as const)
    expect((await (await server.as(actor)).get(url)).json().data.lines).toHaveLength(3)
  const stranger = await server.as({ role: 'issuer', issuerId: (await makeIssuer(server.db)).id })
  const answer = await stranger.get(url)
  expect([answer.status, answer.json().message]).toEqual([404, 'Pago no encontrado'])
})

test('a reversed line stays on the statement, and a company that is gone keeps its name', async () => {
  const { affiliate, lines, url } = await makePaid()
  await server.db
    .updateTable('commission_entry')
    .set({ state: 'reversed', reason: 'Rechazado' })
    .where('id', '=', lines[0]?.id ?? 0)
    .execute()
  await server.db.updateTable('affiliate').set({ archived_at: sql`now()` }).where('id', '=', affiliate.id).execute()
  const { data } = (await admin.get(url)).json()
  expect(data.lines.map(({ state }: { state: string }) => state)).toEqual(['reversed', 'in_payment', 'in_payment'])
  expect(data.payment.entries_amount).toBe('1000.00')
  expect(data.affiliate.rfc).toBe(affiliate.rfc)
})

test('as many lines as fit are printed, and one more is refused', async () => {
  const { id, url } = await makePaid()
  // At steps that are nobody's: a lead earns each once.
  const copies = (from: number, to: number) =>
    sql`insert into commission_entry (lead_id, tracking_id, affiliate_id, issuer_id, relationship_id, product_id, step_id,
        lead_event_id, commission_id, amount, state, earned_at, due_on, payment_id, converts)
      select lead_id, tracking_id, affiliate_id, issuer_id, relationship_id, product_id, step_id + 1000000 + number,
        lead_event_id, commission_id, amount, state, earned_at, due_on, payment_id, 0
      from (select * from commission_entry where payment_id = ${id} order by id limit 1) as one,
        generate_series(${from}::int, ${to}::int) as number`.execute(server.db)
  await copies(4, STATEMENT_LINES_MAX)
  expect((await admin.get(url)).json().data.lines).toHaveLength(STATEMENT_LINES_MAX)
  await copies(STATEMENT_LINES_MAX + 1, STATEMENT_LINES_MAX + 1)
  const answer = await admin.get(url)
  expect([answer.status, answer.json().meta.code]).toEqual([409, 'STATEMENT_TOO_LONG'])
})

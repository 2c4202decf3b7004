import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeEntry, makePayment, reverseEntry } from '#db/factories.ts'
import { asOwner, makePair, startServer, type TestServer } from '../testing.ts'
import { readImbalances } from './conservation.ts'
import { expectConserved, foldAllTotals } from './testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

/** A pair with an entry in each place: paid and taken back, in a payment, accrued, reversed. */
async function makeBooks() {
  const { ids } = await makePair(server.db)
  const make = (earned_at: string) => makeEntry(server.db, ids, { earned_at })
  const paid = await make('2025-03-04T18:00:00Z')
  const inPayment = await make('2025-04-04T18:00:00Z')
  const reversed = await make('2025-05-04T18:00:00Z')
  const hold = async (entry: { id: number }, payment_status: string, state: string) => {
    const { id } = await makePayment(server.db, ids, {
      total_amount: '500.00',
      calculated_amount: '500.00',
      period_end: `2025-05-${entry.id % 30 || 30}`,
    })
    await server.db.updateTable('commission_entry').set({ payment_id: id, state }).where('id', '=', entry.id).execute()
    const paid_at = payment_status === 'paid' ? new Date().toISOString() : null
    await server.db.updateTable('payment').set({ payment_status, paid_at }).where('id', '=', id).execute()
    return id
  }
  const open = await hold(inPayment, 'pending', 'in_payment')
  const paidId = await hold(paid, 'paid', 'paid')
  await reverseEntry(server.db, ids, reversed)
  const back = { amount: '-500.00', reversal_of: paid.id, lead_id: paid.lead_id, earned_at: '2025-05-05T18:00:00Z' }
  const negative = await makeEntry(server.db, ids, back)
  return { ids, open, paidId, negative }
}

test('books in which every peso has one place are in balance, folded or not', async () => {
  await makeBooks()
  await expectConserved(server.db)
  await foldAllTotals(server)
  await expectConserved(server.db)
})

test('what contradicts itself is found, with the pair and the sums', async () => {
  const { ids, open, paidId, negative } = await makeBooks()
  const pair = { affiliate_id: ids.affiliate_id, issuer_id: ids.issuer_id }
  await asOwner(server.databaseUrl, async (owner) => {
    // It would refuse most of what is broken here.
    await sql`alter table payment disable trigger check_payment_sum`.execute(owner)
    const breaking = async (broken: ReturnType<typeof sql>, mended: ReturnType<typeof sql>) => {
      await broken.execute(owner)
      const found = await readImbalances(server.db)
      await mended.execute(owner)
      await expectConserved(server.db)
      return found
    }
    const status = (to: string) => sql`update payment set payment_status = ${to} where id = ${open}`
    expect(await breaking(status('cancelled'), status('pending'))).toMatchObject([
      { rule: 'in_payment', ...pair, expected: '0', found: '500.00' },
      { rule: 'an entry is in the state of its payment', ...pair, found: '1' },
    ])
    const calculated = (to: number) => sql`update payment set calculated_amount = ${to} where id = ${paidId}`
    expect(await breaking(calculated(499), calculated(500))).toMatchObject([
      { rule: 'a paid payment holds what was calculated', ...pair, found: '1' },
    ])
    const amount = (to: number) => sql`update commission_entry set amount = ${to} where id = ${negative.id}`
    expect(await breaking(amount(-400), amount(-500))).toMatchObject([
      { rule: 'an entry takes back, or gives back, the whole of one that is not reversed', ...pair, found: '1' },
    ])
    const kept = (by: number) => sql`update total set paid = paid + ${by} where grain = 'day' and step_id = 0
      and affiliate_id = ${ids.affiliate_id} and issuer_id = ${ids.issuer_id} and first_day = '2025-03-04'`
    await foldAllTotals(server)
    expect(await breaking(kept(1), kept(-1))).toMatchObject([
      { rule: 'ever_earned = accrued + in_payment + paid + reversed', expected: '1000.00', found: '1001.00', ...pair },
      { rule: 'paid', expected: '500.00', found: '501.00', ...pair },
    ])
    const stranger = await makePair(server.db)
    const owned = (affiliate: number) => sql`update payment set affiliate_id = ${affiliate} where id = ${open}`
    expect(await breaking(owned(stranger.affiliate.id), owned(ids.affiliate_id))).toMatchObject([
      { rule: 'a payment holds entries of its own pair', ...pair, found: '1' },
    ])
    const total = (to: number) => sql`update payment set total_amount = ${to} where id = ${paidId}`
    expect(await breaking(total(501), total(500))).toMatchObject([
      { rule: 'a paid payment is the sum of its entries', ...pair, found: '1' },
    ])
    await sql`alter table payment enable trigger check_payment_sum`.execute(owner)
  })
})

test('the database refuses a payment that is not the sum of its entries', async () => {
  const { open, paidId } = await makeBooks()
  for (const [id, change] of [
    [open, { total_amount: '499.00' }],
    [open, { calculated_amount: '501.00' }],
    [paidId, { total_amount: '499.99' }],
    [paidId, { total_amount: '499.99', calculated_amount: '499.99' }],
  ] as const) {
    const changed = server.db.updateTable('payment').set(change).where('id', '=', id).execute()
    await expect(changed).rejects.toMatchObject({ constraint: 'payment_sum_check' })
  }
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Movers, Summary } from '#contract/summary.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { type Ids, makeEntry, makeEvent, makePayment, reverseEntry } from '#db/factories.ts'
import {
  type Actor,
  makeAffiliate,
  makeCommission,
  makeLead,
  makePair,
  makeProduct,
  makeRelationship,
  makeStep,
  startServer,
  type TestServer,
} from '../testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const read = async <T>(actor: Actor, path: string): Promise<T> => (await (await server.as(actor)).get(path)).json().data
const summaryOf = (actor: Actor) => read<Summary>(actor, '/api/v1/figures/summary/')
const moversOf = (actor: Actor) => read<Movers>(actor, '/api/v1/figures/movers/')

const today = dateInMexico()
/** Noon in Mexico City. */
const daysAgo = (days: number) => `${addDays(today, -days)}T18:00:00.000Z`
const issuerOf = ({ issuer_id }: Ids): Actor => ({ role: 'issuer', issuerId: issuer_id })
const affiliateOf = ({ affiliate_id }: Ids): Actor => ({ role: 'affiliate', affiliateId: affiliate_id })

test('each reads what is owed to it or by it, and never what is of others', async () => {
  const [mine, other] = [await makePair(server.db), await makePair(server.db)]
  await makeEntry(server.db, mine.ids, { amount: '500.10', earned_at: daysAgo(40) })
  await makeEntry(server.db, mine.ids, { amount: '99.90', earned_at: daysAgo(2) })
  await makeEntry(server.db, other.ids, { amount: '7.00', earned_at: daysAgo(3) })
  for (const actor of [issuerOf(mine.ids), affiliateOf(mine.ids)]) {
    const { due, days } = await summaryOf(actor)
    expect(due).toEqual({ accrued: '600.00', entries: 2, since: addDays(today, -40), in_payment: '0.00' })
    expect(days.find(({ day }) => day === addDays(today, -2))).toMatchObject({ leads: 1, commission: '99.90' })
    expect(days.find(({ day }) => day === addDays(today, -3))).toMatchObject({ leads: 0, commission: '0.00' })
  }
})

test('nobody owes anything before anything happened', async () => {
  const { ids } = await makePair(server.db)
  const { due, next_payment, days } = await summaryOf(affiliateOf(ids))
  expect(due).toEqual({ accrued: '0.00', entries: 0, since: null, in_payment: '0.00' })
  expect(next_payment).toBeNull()
  expect(days.every(({ leads, commission }) => leads === 0 && commission === '0.00')).toBe(true)
})

test('the next payment is all that is to be paid on the first day, and none that is paid or cancelled', async () => {
  const { ids } = await makePair(server.db)
  const second = await makeRelationship(server.db, {
    affiliate_id: ids.affiliate_id,
    issuer_id: (await makePair(server.db)).issuer.id,
  })
  const soon = { total_amount: '100.00', payment_date: '2030-01-05' }
  await makePayment(server.db, ids, { ...soon, payment_status: 'processing' })
  await makePayment(server.db, { ...ids, relationship_id: second.id, issuer_id: second.issuer_id }, soon)
  const months = [4, 5, 6].map((month) => ({ period_start: `2025-0${month}-01`, period_end: `2025-0${month}-28` }))
  await makePayment(server.db, ids, { ...months[0], payment_date: '2030-02-05' })
  await makePayment(server.db, ids, { ...months[1], payment_date: '2029-01-05', payment_status: 'paid' })
  await makePayment(server.db, ids, { ...months[2], payment_date: '2029-01-05', payment_status: 'cancelled' })
  const { next_payment } = await summaryOf(affiliateOf(ids))
  expect(next_payment).toEqual({ day: '2030-01-05', amount: '200.00', has_changed: false })
  const { attention } = await summaryOf(issuerOf(ids))
  expect(attention).toMatchObject({ payments: 1, payments_amount: '1500.00' })
})

test('a rejection inside an open payment is in no sum, and the total that people see is said to be another', async () => {
  const { ids } = await makePair(server.db)
  const day = { earned_at: '2025-03-10T18:00:00Z', amount: '200.00' }
  const [, gone] = [await makeEntry(server.db, ids, day), await makeEntry(server.db, ids, day)]
  const admin = await server.as({ role: 'admin' })
  const form = { relationship: ids.relationship_id, period_start: '2025-03-01', period_end: '2025-03-31' }
  const totals = { total_leads: 2, total_conversions: 2, total_amount: '400.00', payment_date: '2031-04-04' }
  const made = await admin.post('/api/v1/payments/', { ...form, ...totals })
  expect(made.status, made.text).toBe(201)
  await reverseEntry(server.db, ids, gone)
  const { due, next_payment } = await summaryOf(affiliateOf(ids))
  expect([due.in_payment, next_payment]).toEqual(['200.00', { day: '2031-04-04', amount: '200.00', has_changed: true }])
  const { attention } = await summaryOf(issuerOf(ids))
  expect(attention).toMatchObject({ payments: 1, payments_amount: '200.00', payments_changed: 1 })
})

test('a payment that is overdue is the next one only while no other is to come', async () => {
  const { ids } = await makePair(server.db)
  const next = async () => (await summaryOf(affiliateOf(ids))).next_payment
  const months = [3, 4, 5].map((month) => ({ period_start: `2025-0${month}-01`, period_end: `2025-0${month}-28` }))
  const overdue = { day: addDays(today, -200), amount: '120.00' }
  await makePayment(server.db, ids, { ...months[0], total_amount: overdue.amount, payment_date: overdue.day })
  await makePayment(server.db, ids, { ...months[1], total_amount: '30.00', payment_date: addDays(today, -1) })
  expect(await next()).toMatchObject(overdue)
  await makePayment(server.db, ids, { ...months[2], total_amount: '8000.00', payment_date: today })
  expect(await next()).toMatchObject({ day: today, amount: '8000.00' })
})

test('what waits for an approval is counted for its issuer and the administrator', async () => {
  const { ids } = await makePair(server.db)
  const before = Number((await summaryOf({ role: 'admin' })).attention?.approvals.count)
  for (const amount of ['500.00', '250.50']) await makeEntry(server.db, ids, { amount, due_on: 'infinity' })
  expect((await summaryOf(issuerOf(ids))).attention?.approvals).toEqual({
    ...{ count: 2, amount: '750.50', held: 0, held_amount: '0.00' },
  })
  expect((await summaryOf({ role: 'admin' })).attention?.approvals.count).toBe(before + 2)
})

test('what is promoted without a commission is counted until one is set, for its issuer and the administrator', async () => {
  const { ids } = await makePair(server.db)
  const gapsOf = async (actor: Actor) => (await summaryOf(actor)).attention?.commission_gaps
  const before = Number(await gapsOf({ role: 'admin' }))
  await makeStep(server.db, { product_id: ids.product_id, event_type_id: 3, is_payout_event: true })
  expect(await gapsOf({ role: 'admin' })).toBe(before + 1)
  expect(await gapsOf(issuerOf(ids))).toBe(1)
  expect((await summaryOf(affiliateOf(ids))).attention).toBeNull()
  await makeCommission(server.db, ids)
  expect(await gapsOf({ role: 'admin' })).toBe(before)
  expect(await gapsOf(issuerOf(ids))).toBe(0)
})

describe('an issuer whose events stopped', () => {
  const sent = async (days: number[], brought: { day: number; source: string }[] = []): Promise<Ids> => {
    const { ids } = await makePair(server.db)
    const step = await makeStep(server.db, { product_id: ids.product_id })
    for (const { day, source } of [...days.map((each) => ({ day: each, source: 'api' })), ...brought]) {
      const created_at = daysAgo(day)
      await makeEvent(server.db, await makeLead(server.db, { ...ids, created_at }), step, { created_at, source })
    }
    return ids
  }
  const silentOf = async (ids: Ids) => (await summaryOf(issuerOf(ids))).attention?.silent_issuers

  test.each([
    ['sent them every day, three days ago for the last time', [6, 5, 4, 3]],
    ['sent them every second day, six days ago for the last time', [10, 8, 6]],
    ['sent many a day', [6, 5, 4].flatMap((day) => Array<number>(60).fill(day))],
    ['sends every day since it tried it once', [80, ...[13, 12, 11, 10, 9, 8, 7, 6, 5, 4]]],
  ])('that %s, is told', async (_, days) => {
    const ids = await sent(days)
    const last_day = addDays(today, -Number(days.at(-1)))
    expect(await silentOf(ids)).toEqual([{ id: ids.issuer_id, name: expect.any(String), last_day }])
    const { attention } = await summaryOf({ role: 'admin' })
    expect(attention?.silent_issuers.map(({ id }) => id)).toContain(ids.issuer_id)
  })

  test.each([
    ['sent one two days ago', [5, 4, 3, 2]],
    ['sends them once a week', [25, 18, 11, 4]],
    ['sends all of a month in a day', [65, 35, 5].flatMap((day) => Array<number>(40).fill(day))],
    ['sent all of them within two days', [30, 30, 29]],
    ['never sent any', []],
  ])('is not one that %s', async (_, days) => {
    expect(await silentOf(await sent(days))).toEqual([])
  })

  test.each(['panel', 'conciliacion'])('is told although %s brought one since', async (source) => {
    const ids = await sent([6, 5, 4], [{ day: 1, source }])
    expect(await silentOf(ids)).toMatchObject([{ last_day: addDays(today, -4) }])
    expect(
      await silentOf(
        await sent(
          [],
          [
            { day: 6, source },
            { day: 5, source },
            { day: 4, source },
          ],
        ),
      ),
    ).toEqual([])
  })

  test('is no longer told once it is inactive', async () => {
    const ids = await sent([6, 5, 4])
    await server.db.updateTable('issuer').set({ user_status: 'inactive' }).where('id', '=', ids.issuer_id).execute()
    const { attention } = await summaryOf({ role: 'admin' })
    expect(attention?.silent_issuers.map(({ id }) => id)).not.toContain(ids.issuer_id)
  })
})

/** Leads of the period before and of the period. */
async function makeLeads(ids: Ids, before: number, now: number): Promise<void> {
  for (let count = 0; count < before; count++) await makeLead(server.db, { ...ids, created_at: daysAgo(40) })
  for (let count = 0; count < now; count++) await makeLead(server.db, { ...ids, created_at: daysAgo(3) })
}

test('an issuer sees first which of its affiliates changed most, up or down, and their last thirty days', async () => {
  const { ids } = await makePair(server.db)
  await makeLeads(ids, 3, 4)
  const changed: number[] = []
  for (const [before, now] of [
    [0, 2],
    [6, 1],
    [1, 5],
    [2, 2],
    [3, 0],
  ] as const) {
    const affiliate = await makeAffiliate(server.db)
    const { id } = await makeRelationship(server.db, { affiliate_id: affiliate.id, issuer_id: ids.issuer_id })
    await makeLeads({ ...ids, affiliate_id: affiliate.id, relationship_id: id }, before, now)
    changed.push(affiliate.id)
  }
  const [two, fell, rose, , gone] = changed
  const { rows, busiest_product } = await moversOf(issuerOf(ids))
  expect(rows.map(({ id }) => id)).toEqual([fell, rose, gone, two, ids.affiliate_id])
  expect(rows[0]).toMatchObject({ leads: 1, compared: { leads: 1 }, previous: { leads: 6 } })
  expect(rows[1]?.line).toEqual([...Array(27).fill(0), 5, 0, 0])
  expect(busiest_product).toBe(ids.product_id)
})

test('no product is the one with most leads where the period has none', async () => {
  const { ids } = await makePair(server.db)
  await makeLeads(ids, 2, 0)
  const { rows, busiest_product } = await moversOf(issuerOf(ids))
  expect(rows).toMatchObject([{ id: ids.affiliate_id, leads: 0, previous: { leads: 2 } }])
  expect(busiest_product).toBeNull()
})

test('an affiliate sees its products, those with most leads first, and of nobody else', async () => {
  const { ids } = await makePair(server.db)
  const other = await makeProduct(server.db, { issuer_id: ids.issuer_id })
  await makeLeads(ids, 9, 1)
  await makeLeads({ ...ids, product_id: other.id }, 0, 3)
  const stranger = await makePair(server.db)
  await makeLeads(stranger.ids, 0, 9)
  const { rows } = await moversOf(affiliateOf(ids))
  expect(rows.map(({ id, leads }) => [id, leads])).toEqual([
    [other.id, 3],
    [ids.product_id, 1],
  ])
  const { rows: none, busiest_product } = await moversOf(issuerOf((await makePair(server.db)).ids))
  expect([none, busiest_product]).toEqual([[], null])
})

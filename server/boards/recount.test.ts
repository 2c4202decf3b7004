import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CommissionReport, Figures, Network, Performance } from '#contract/boards.ts'
import type { Period } from '#contract/periods.ts'
import { type Movers, SUMMARY_DAYS, type Summary } from '#contract/summary.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { type Ids, makeEntry, makePayment } from '#db/factories.ts'
import { historiesOr } from '#db/testing.ts'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import { paymentForm } from '../payments/testing.ts'
import { percentOf } from '../percent.ts'
import { type Actor, makeLead, makePair, startServer, type TestAnswer, type TestServer } from '../testing.ts'
import { foldOnce } from '../totals/fold.ts'
import { expectNoDrift, untilStored } from '../totals/testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const REPORTS = '/api/v1/figures/reports/'
const TODAY = dateInMexico()
/** The first and last moment of a day count as much as its noon. */
const TIMES = ['00:00:00', '12:00:00', '23:59:59']
const momentOf = (daysAgo: number, time: number): string => {
  const day = addDays(TODAY, -daysAgo)
  // Mexico City has kept UTC-6 since 2022.
  return new Date(`${day}T${TIMES[time]}-06:00`).toISOString()
}

const happening = fc.record({
  kind: fc.constantFrom('click', 'entry', 'taken back', 'reversed', 'in payment', 'fold'),
  daysAgo: fc.nat(70),
  time: fc.nat(TIMES.length - 1),
  cents: fc.integer({ min: 1, max: 100_000 }),
})
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

async function happen(ids: Ids, { kind, daysAgo, time, cents }: Happening): Promise<void> {
  const earned_at = momentOf(daysAgo, time)
  const amount = (cents / 100).toFixed(2)
  if (kind === 'fold') await foldOnce(server.appDb)
  else if (kind === 'click') await untilStored(() => makeLead(server.db, { ...ids, created_at: earned_at }))
  else {
    const { id, lead_id } = await untilStored(() => makeEntry(server.db, ids, { earned_at, amount }))
    if (kind === 'reversed')
      await server.db.updateTable('commission_entry').set({ state: 'reversed' }).where('id', '=', id).execute()
    if (kind === 'in payment') await take(ids, id, amount)
    if (kind === 'taken back')
      await makeEntry(server.db, ids, {
        ...{ amount: `-${amount}`, reversal_of: id, lead_id },
        earned_at: momentOf(Math.floor(daysAgo / 2), time),
      })
  }
}

/** An unpaid payment of one entry; each begins on a day of its own, since a pair is paid a period once. */
async function take(ids: Ids, entryId: number, amount: string): Promise<void> {
  const from = addDays('2000-01-01', entryId)
  const payment = await makePayment(server.db, ids, {
    ...{ period_start: from, period_end: TODAY, total_amount: amount, calculated_amount: amount },
  })
  await server.db
    .updateTable('commission_entry')
    .set({ state: 'in_payment', payment_id: payment.id })
    .where('id', '=', entryId)
    .execute()
}

/** From leads and entries alone. */
async function recount(ids: Ids, { from, to }: Period): Promise<Figures> {
  const { rows } = await sql<Omit<Figures, 'conversion_rate'>>`
    select (select count(*) from lead
        where issuer_id = ${ids.issuer_id} and mexico_day(created_at) between ${from}::date and ${to}::date)::int8 as leads,
      greatest(coalesce(sum(converts), 0), 0)::int8 as conversions, coalesce(sum(amount), 0.00) as commission
    from commission_entry
    where issuer_id = ${ids.issuer_id} and state <> 'reversed'
      and mexico_day(earned_at) between ${from}::date and ${to}::date`.execute(server.db)
  const [row] = rows
  if (!row) throw new Error('Nothing was counted')
  return { ...row, conversion_rate: percentOf(row.conversions, row.leads) }
}

/** The days on which anything happened; all happenings are of the last ninety. */
async function recountDays({ issuer_id }: Ids): Promise<Summary['days']> {
  const { rows } = await sql<Summary['days'][number]>`
    select day, sum(leads)::int8 as leads, greatest(sum(conversions), 0)::int8 as conversions,
      sum(commission) as commission
    from (
      select mexico_day(created_at) as day, 1 as leads, 0 as conversions, 0.00 as commission
      from lead where issuer_id = ${issuer_id}
      union all
      select mexico_day(earned_at), 0, converts, amount
      from commission_entry where issuer_id = ${issuer_id} and state <> 'reversed'
    ) as facts group by day having sum(leads) > 0 or sum(commission) <> 0 order by day`.execute(server.db)
  return rows
}

/** What is owed, from entries alone; of the whole network without ids. */
async function recountDue(ids?: Ids): Promise<Summary['due']> {
  const own = ids ? sql`issuer_id = ${ids.issuer_id}` : sql`true`
  const { rows } = await sql<Summary['due']>`
    select coalesce(sum(amount) filter (where state = 'accrued'), 0.00) as accrued,
      count(*) filter (where state = 'accrued')::int8 as entries,
      mexico_day(min(earned_at) filter (where state = 'accrued')) as since,
      coalesce(sum(amount) filter (where state = 'in_payment'), 0.00) as in_payment
    from commission_entry where ${own}`.execute(server.db)
  const [row] = rows
  if (!row) throw new Error('Nothing was counted')
  return row
}

async function expectSummed(ids: Ids): Promise<void> {
  const pair: Actor[] = [
    { role: 'issuer', issuerId: ids.issuer_id },
    { role: 'affiliate', affiliateId: ids.affiliate_id },
  ]
  for (const actor of pair) {
    const { due, days } = await read<Summary>(actor, '/api/v1/figures/summary/')
    expect(due).toEqual(await recountDue(ids))
    expect(days).toHaveLength(SUMMARY_DAYS + 1)
    expect(days.at(-1)?.day).toBe(TODAY)
    expect(days.filter(({ leads, commission }) => leads > 0 || commission !== '0.00')).toEqual(await recountDays(ids))
    const { rows, period, totals } = await read<Movers>(actor, '/api/v1/figures/movers/')
    const expected = await recount(ids, period)
    expect(totals).toEqual(expected)
    for (const { line, ...row } of rows) {
      expect(row).toMatchObject(expected)
      // Thirty complete days, like the period.
      expect(line).toEqual(days.slice(-31, -1).map(({ leads }) => leads))
    }
  }
  expect((await read<Summary>({ role: 'admin' }, '/api/v1/figures/summary/')).due).toEqual(await recountDue())
}

const read = async <T>(actor: Actor, path: string): Promise<T> => (await (await server.as(actor)).get(path)).json().data

async function expectRecounted(ids: Ids, period: Period): Promise<void> {
  const query = `?from=${period.from}&to=${period.to}`
  const issuer: Actor = { role: 'issuer', issuerId: ids.issuer_id }
  const figures = await recount(ids, period)
  const reports = [
    await read<Performance>(issuer, `${REPORTS}performance/${query}`),
    await read<Performance>({ role: 'affiliate', affiliateId: ids.affiliate_id }, `${REPORTS}performance/${query}`),
    await read<Network>({ role: 'admin' }, `${REPORTS}network/${query}&issuer_id=${ids.issuer_id}`),
  ]
  for (const report of reports) {
    expect(report.totals).toEqual(figures)
    const { comparison } = report
    if (comparison) {
      expect(report.compared_totals).toEqual(await recount(ids, comparison.period))
      expect(report.previous_totals).toEqual(await recount(ids, comparison.previous_period))
    }
    for (const { day, previous, ...of } of report.days) {
      const { conversion_rate: _, ...expected } = await recount(ids, { from: day, to: day })
      expect(of).toEqual(expected)
      expect(previous === null).toBe(day >= TODAY)
    }
    for (const row of report.products)
      expect(row).toMatchObject({ ...figures, compared: report.compared_totals, previous: report.previous_totals })
  }
  const { totals } = await read<CommissionReport>(issuer, `${REPORTS}commissions/${query}`)
  expect(totals.earned).toBe(figures.commission)
}

test('whatever happens, every board says what a recount of leads and entries says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(happening, { minLength: 1, maxLength: 12 }),
      fc.nat(40),
      fc.nat(20),
      async (happenings, daysAgo, length) => {
        const { ids } = await makePair(server.db)
        for (const each of happenings) await happen(ids, each)
        const from = addDays(TODAY, -daysAgo)
        const to = addDays(from, Math.min(length, daysAgo))
        await expectRecounted(ids, { from, to })
        await expectSummed(ids)
      },
    ),
    { numRuns: historiesOr(4) },
  )
  await expectNoDrift(server.db)
}, 300_000)

test('what is reversed adds up to the list of it, also when a paid commission was taken back and given back', async () => {
  const funnel = await makeFunnel(server)
  const admin = await server.as({ role: 'admin' })
  const expectDone = async (answer: Promise<TestAnswer>) => expect((await answer).status).toBeLessThan(300)
  const tracking_id = funnel.lead.tracking_id
  await expectDone(funnel.client.post(EVENTS, { tracking_id, event_type: 'aprobado' }))
  const days = { period_start: addDays(TODAY, -1), period_end: TODAY }
  const form = { ...paymentForm(funnel.relationship.id), ...days, total_amount: '500.00' }
  await expectDone(admin.post('/api/v1/payments/', { ...form, payment_status: 'paid' }))
  await expectDone(admin.post(`/api/v1/leads/${funnel.lead.id}/reject/`, { reason_code: 'duplicado' }))
  await expectDone(admin.post(`/api/v1/leads/${funnel.lead.id}/restore/`, { note: 'El banco lo confirmó por correo' }))
  const actor: Actor = { role: 'affiliate', affiliateId: funnel.affiliate.id }
  const reader = await server.as(actor)
  const { totals }: CommissionReport = (await reader.get(`${REPORTS}commissions/?from=${TODAY}`)).json().data
  expect(totals).toMatchObject({ accrued: '0.00', paid: '500.00', reversed: '-500.00', earned: '500.00' })
  const list = await reader.get('/api/v1/commission-entries/?state=reversed')
  expect(list.json().data.reversed_amount).toBe(totals.reversed)
  await expectNoDrift(server.db)
})

import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CommissionReport, Figures, Network, Performance } from '#contract/boards.ts'
import type { Period } from '#contract/periods.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { type Ids, makeEntry } from '#db/factories.ts'
import { percentOf } from '../percent.ts'
import { type Actor, makeLead, makePair, startServer, type TestServer } from '../testing.ts'
import { foldOnce } from '../totals/fold.ts'
import { expectNoDrift } from '../totals/testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const TODAY = dateInMexico()
/** The first and last moment of a day count as much as its noon. */
const TIMES = ['00:00:00', '12:00:00', '23:59:59']
const momentOf = (daysAgo: number, time: number): string => {
  const day = addDays(TODAY, -daysAgo)
  // Mexico City has kept UTC-6 since 2022.
  return new Date(`${day}T${TIMES[time]}-06:00`).toISOString()
}

const happening = fc.record({
  kind: fc.constantFrom('click', 'entry', 'taken back', 'reversed', 'fold'),
  daysAgo: fc.nat(70),
  time: fc.nat(TIMES.length - 1),
  cents: fc.integer({ min: 1, max: 100_000 }),
})
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

async function happen(ids: Ids, { kind, daysAgo, time, cents }: Happening): Promise<void> {
  const earned_at = momentOf(daysAgo, time)
  const amount = (cents / 100).toFixed(2)
  if (kind === 'fold') await foldOnce(server.appDb)
  else if (kind === 'click') await makeLead(server.db, { ...ids, created_at: earned_at })
  else {
    const { id, lead_id } = await makeEntry(server.db, ids, { earned_at, amount })
    if (kind === 'reversed')
      await server.db.updateTable('commission_entry').set({ state: 'reversed' }).where('id', '=', id).execute()
    if (kind === 'taken back')
      await makeEntry(server.db, ids, {
        ...{ amount: `-${amount}`, reversal_of: id, lead_id },
        earned_at: momentOf(Math.floor(daysAgo / 2), time),
      })
  }
}

/** From leads and entries alone. */
async function recount(ids: Ids, { from, to }: Period): Promise<Figures> {
  const { rows } = await sql<Omit<Figures, 'conversion_rate'>>`
    select (select count(*) from lead
        where issuer_id = ${ids.issuer_id} and mexico_day(created_at) between ${from}::date and ${to}::date)::int8 as leads,
      greatest(coalesce(sum(converts), 0), 0)::int8 as conversions, coalesce(sum(amount), 0)::numeric(16, 2) as commission
    from commission_entry
    where issuer_id = ${ids.issuer_id} and state <> 'reversed'
      and mexico_day(earned_at) between ${from}::date and ${to}::date`.execute(server.db)
  const [row] = rows
  if (!row) throw new Error('Nothing was counted')
  return { ...row, conversion_rate: percentOf(row.conversions, row.leads) }
}

async function expectRecounted(ids: Ids, period: Period): Promise<void> {
  const query = `?from=${period.from}&to=${period.to}`
  const read = async <T>(actor: Actor, path: string): Promise<T> =>
    (await (await server.as(actor)).get(`/api/v1/metrics/reports/${path}`)).json().data
  const issuer: Actor = { role: 'issuer', issuerId: ids.issuer_id }
  const figures = await recount(ids, period)
  const reports = [
    await read<Performance>(issuer, `performance/${query}`),
    await read<Performance>({ role: 'affiliate', affiliateId: ids.affiliate_id }, `performance/${query}`),
    await read<Network>({ role: 'admin' }, `network/${query}&issuer_id=${ids.issuer_id}`),
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
  const { totals } = await read<CommissionReport>(issuer, `commissions/${query}`)
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
      },
    ),
    { numRuns: 15 },
  )
  await expectNoDrift(server.db)
})

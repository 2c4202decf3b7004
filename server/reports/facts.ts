import { type RawBuilder, sql } from 'kysely'
import type { Period, ReportFilters } from '#contract/reports.ts'
import type { Db, Tx } from '#db/connect.ts'
import { parties, scopeOf } from '../leads/filters.ts'
import { countsOf } from '../leads/totals.ts'
import type { Viewer } from '../viewer.ts'

/** One picture of the totals for all of a report, or its parts would not add up while clicks arrive. */
export const reading = <T>(db: Db, report: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(report)

/** Every read of the totals starts here: the viewer's own, then what was asked for (D48). */
export function within(viewer: Viewer, filters: ReportFilters, { from, to }: Period): RawBuilder<boolean> {
  const asked = [...scopeOf(viewer), ...parties(filters)].map(([party, id]) => sql`${sql.ref(party)} = ${id}`)
  return sql`(${sql.join([sql`day between ${from}::date and ${to}::date`, ...asked], sql` and `)})`
}

/** What was earned and stands. */
export const earned = sql`accrued + in_payment + paid`

/**
 * Leads, conversions and commission of each pair and product, before and since a day (`is_now`). Each table is summed up
 * by itself, which takes three quarters of the time of summing up the two together.
 */
export const partyFacts = (where: RawBuilder<boolean>, since: string) => sql`
  select day >= ${since}::date as is_now, affiliate_id, issuer_id, product_id,
    sum(count) as leads, 0 as conversions, 0.00 as commission
  from lead_count where ${where} group by 1, 2, 3, 4
  union all
  select day >= ${since}::date, affiliate_id, issuer_id, product_id,
    0, sum(conversions), sum(accrued) + sum(in_payment) + sum(paid)
  from earning_total where ${where} group by 1, 2, 3, 4`

/** The same of each day, for which leads are counted in fewer rows where only issuers are told apart. */
export const dayFacts = (viewer: Viewer, filters: ReportFilters, where: RawBuilder<boolean>) => sql`
  select day, sum(count) as leads, 0 as conversions, 0.00 as commission
  from ${sql.table(countsOf([...scopeOf(viewer), ...parties(filters)]))} where ${where} group by day
  union all
  select day, 0, sum(conversions), sum(${earned}) from earning_total where ${where} group by day`

/** Percent with two decimals, 0 without leads (D45). */
export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((10_000 * part) / whole) / 100

/** Every day of a period, so that a day on which nothing happened is a zero and no gap. */
export const daysOf = ({ from, to }: Period) =>
  sql`select day::date from generate_series(${from}::date, ${to}::date, interval '1 day') as day`

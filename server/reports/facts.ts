import { type RawBuilder, sql } from 'kysely'
import type { Period } from '#contract/reports.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Party } from '../leads/filters.ts'
import { countsOf } from '../leads/totals.ts'
import type { Cover } from './cover.ts'

/** One picture of the totals for all of a report, or its parts would not add up while clicks arrive. */
export const reading = <T>(db: Db, report: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(report)

/** Nothing without a period. */
export function within(parties: Party[], ...periods: Period[]): RawBuilder<boolean> {
  const days = periods.map(({ from, to }) => sql`day between ${from}::date and ${to}::date`)
  return sql`((${days.length ? sql.join(days, sql` or `) : sql`false`})${of(parties)})`
}

const of = (parties: Party[]) =>
  sql.join(
    parties.map(([party, id]) => sql` and ${sql.ref(party)} = ${id}`),
    sql``,
  )

/** What was earned and stands. */
export const earned = sql`accrued + in_payment + paid`

const states = sql`sum(accrued) as accrued, sum(in_payment) as in_payment, sum(paid) as paid, sum(reversed) as reversed`

const inSpans = (parties: Party[], { spans }: Cover, since: string) => sql`
  select first_day >= ${since}::date as is_now, affiliate_id, issuer_id, product_id,
    sum(leads) as leads, sum(conversions) as conversions, ${states}
  from span_total
  where (first_day, last_day) in (
    select * from unnest(${spans.map(({ from }) => from)}::date[], ${spans.map(({ to }) => to)}::date[])
  )${of(parties)} group by 1, 2, 3, 4`

const earnedOn = (parties: Party[], { days }: Cover, since: string) => sql`
  select day >= ${since}::date as is_now, affiliate_id, issuer_id, product_id,
    0 as leads, sum(conversions) as conversions, ${states}
  from earning_total where ${within(parties, ...days)} group by 1, 2, 3, 4`

/**
 * Leads, conversions and commission of each pair and product, before and since a day (`is_now`). Each table is summed up
 * by itself, which takes three quarters of the time of summing up all together.
 */
export const partyFacts = (parties: Party[], cover: Cover, since: string) => sql`
  ${inSpans(parties, cover, since)}
  union all
  ${earnedOn(parties, cover, since)}
  union all
  select day >= ${since}::date, affiliate_id, issuer_id, product_id, sum(count), 0, 0, 0, 0, 0
  from lead_count where ${within(parties, ...cover.days)} group by 1, 2, 3, 4`

/** The same for whom leads do not matter. */
export const partyEarnings = (parties: Party[], cover: Cover, since: string) => sql`
  ${inSpans(parties, cover, since)} union all ${earnedOn(parties, cover, since)}`

/** What was earned each day, which fewer rows tell where only issuers are told apart. */
export function dayEarnings(parties: Party[], { whole, covered, days }: Cover) {
  const from = (table: 'earning_day' | 'earning_total', periods: Period[]) => sql`
    select day, sum(conversions) as conversions, ${states}
    from ${sql.table(table)} where ${within(parties, ...periods)} group by day`
  return parties.every(([party]) => party === 'issuer_id')
    ? sql`${from('earning_day', covered)} union all ${from('earning_total', days)}`
    : from('earning_total', whole)
}

/** What was clicked each day. */
export const dayLeads = (parties: Party[], { whole }: Cover) => sql`
  select day, sum(count) as leads from ${countsOf(parties)} where ${within([], ...whole)} group by day`

/** Percent with two decimals, 0 without leads (D45). */
export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((10_000 * part) / whole) / 100

/** Every day of a period, so that a day on which nothing happened is a zero and no gap. */
export const daysOf = ({ from, to }: Period) =>
  sql`select day::date from generate_series(${from}::date, ${to}::date, interval '1 day') as day`

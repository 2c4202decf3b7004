import { type RawBuilder, sql } from 'kysely'
import type { Period } from '#contract/boards.ts'
import type { Db, Tx } from '#db/connect.ts'
import { countsOf } from '../leads/totals.ts'
import type { Party } from '../parties.ts'
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

/** What was earned, in each state that it may be in now: a sum for each, which is dear among many rows. */
export const inStates = sql`
  sum(accrued) as accrued, sum(in_payment) as in_payment, sum(paid) as paid, sum(reversed) as reversed`
/** How many converted, and all that was earned and stands. A sum of bigint is numeric, which the next one is slower with. */
export const asWhole = sql`sum(conversions)::int8 as conversions, sum(accrued + in_payment + paid) as commission`

const ofParties = sql`affiliate_id, issuer_id, product_id`

const inSpans = (parties: Party[], { spans }: Cover, figures: RawBuilder<unknown>) => sql`
  select ${figures} from span_total
  where (first_day, last_day) in (
    select * from unnest(${spans.map(({ from }) => from)}::date[], ${spans.map(({ to }) => to)}::date[])
  )${of(parties)}`

/**
 * Leads, conversions and commission of each pair and product, before and since a day (`is_now`). Each table is summed up
 * by itself, which takes three quarters of the time of summing up all together.
 */
export function partyFacts(parties: Party[], cover: Cover, since: string) {
  const isNow = (day: RawBuilder<unknown>) => sql`${day} >= ${since}::date as is_now`
  const spans = sql`${isNow(sql`first_day`)}, ${ofParties}, sum(leads)::int8 as leads, ${asWhole}`
  return sql`
    ${inSpans(parties, cover, spans)} group by 1, 2, 3, 4
    union all
    select ${isNow(sql`day`)}, ${ofParties}, 0, ${asWhole}
    from earning_total where ${within(parties, ...cover.days)} group by 1, 2, 3, 4
    union all
    select ${isNow(sql`day`)}, ${ofParties}, sum(count)::int8, 0, 0
    from lead_count where ${within(parties, ...cover.days)} group by 1, 2, 3, 4`
}

/** What each pair and product earned, by state. */
export const partyEarnings = (parties: Party[], cover: Cover) => sql`
  ${inSpans(parties, cover, sql`${ofParties}, ${inStates}`)} group by 1, 2, 3
  union all
  select ${ofParties}, ${inStates}
  from earning_total where ${within(parties, ...cover.days)} group by 1, 2, 3`

/** What was earned each day, which fewer rows tell where only issuers are told apart. */
export function dayEarnings(parties: Party[], { whole, known, unknown }: Cover, figures: RawBuilder<unknown>) {
  const from = (table: 'earning_day' | 'earning_total', periods: Period[]) => sql`
    select day, ${figures}
    from ${sql.table(table)} where ${within(parties, ...periods)} group by day`
  return parties.every(([party]) => party === 'issuer_id')
    ? sql`${from('earning_day', known)} union all ${from('earning_total', unknown)}`
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

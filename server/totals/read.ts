import { type RawBuilder, sql } from 'kysely'
import { addDays, firstOfMonth, TIME_ZONE } from '#contract/time.ts'
import type { Tx } from '#db/connect.ts'
import type { Party } from '../parties.ts'

type Sql = RawBuilder<unknown>

/** Days of Mexico City, both ends included; without one, since ever or until now. */
export interface Days {
  from?: string | undefined
  to?: string | undefined
}

interface Wanted {
  parties: Party[]
  /** Each begins the day after the one before it. */
  periods: readonly Days[]
}

/**
 * For one statement, rows of `day` (the first of what is summed up), `affiliate_id`, `issuer_id`, `product_id`, `leads`,
 * `conversions` and the four states of commission, several with the same key. Ids may be 0 where the party is no matter.
 */
export interface Sums {
  /** What is in no total yet, for its `with`: both others read it. */
  recent: Sql
  byDay: Sql
  /** Months that are whole come in one row. */
  byParty: Sql
}

/** Commission that stands, in whatever state. */
export const earned = sql`accrued + in_payment + paid`

/** Where leads begin that are in no total yet: those of partitions that are not closed. Read in the snapshot of the sums. */
export async function readUncountedId(tx: Tx): Promise<string> {
  const { id } = await tx
    .selectFrom('lead_partition')
    .select(sql<string>`min(first_id::text)`.as('id'))
    .where('leads', 'is', null)
    .executeTakeFirstOrThrow()
  return id
}

export async function sumsOf(tx: Tx, wanted: Wanted): Promise<Sums> {
  const uncountedId = await readUncountedId(tx)
  // By the hour, since the day of each lead would cost more than all the rest: days begin with an hour.
  return sumsWith(
    wanted,
    sql`union all
    select mexico_day(hour), affiliate_id, issuer_id, product_id, count, 0, 0, 0, 0, 0
    from (
      select date_bin('1 hour', created_at, 'epoch') as hour, affiliate_id, issuer_id, product_id, count(*) as count
      from lead where tracking_id >= ${uncountedId}::uuid and ${isOf(wanted.parties)} and ${isClickedDuring(wholeOf(wanted))}
      group by 1, 2, 3, 4
    ) as clicks`,
  )
}

/** For whoever asks for no leads, which are most of the work: `leads` are not all. */
export const commissionSumsOf = (wanted: Wanted): Sums => sumsWith(wanted, sql``)

const FIGURES = sql`affiliate_id, issuer_id, product_id, leads, conversions, accrued, in_payment, paid, reversed`

function sumsWith(wanted: Wanted, clicks: Sql): Sums {
  const { parties, periods } = wanted
  const sums = (parts: Part[], rows: Sql) => sql`(
    select first_day as day, ${FIGURES} from total join ${tableOf(parts)}
      on total.grain = part.grain and first_day between part.from_day and part.to_day where step_id = 0 and ${rows}
    union all select * from recent
  ) as sums`
  return {
    recent: sql`recent as (
      select day, ${FIGURES} from total_delta
      where step_id = 0 and ${isOf(parties)} and ${isDuring(sql`day`, wholeOf(wanted))} ${clicks}
    )`,
    byDay: sums(periods.map(inDays), fewestRowsOf(parties)),
    byParty: sums(periods.flatMap(inMonths), eachRowOf(parties)),
  }
}

/** The same of steps: rows of `day`, `step_id`, `reached` and `clicks_reached`. */
export const stepSumsOf = (parties: Party[], period: Days): Sql => sql`(
  select first_day as day, step_id, reached, clicks_reached from total
  where grain = 'day' and step_id <> 0 and ${fewestRowsOf(parties)} and ${isDuring(sql`first_day`, period)}
  union all
  select day, step_id, reached, clicks_reached
  from total_delta where step_id <> 0 and ${isOf(parties)} and ${isDuring(sql`day`, period)}
) as sums`

export interface DayCount {
  day: string
  count: number
}

/** How many leads each day brought, the oldest first. */
export async function readLeadDays(tx: Tx, parties: Party[], period: Days): Promise<DayCount[]> {
  const { recent, byDay } = await sumsOf(tx, { parties, periods: [period] })
  const { rows } = await sql<DayCount>`with ${recent}
    select day, sum(leads)::float8 as count from ${byDay} group by day having sum(leads) <> 0 order by day`.execute(tx)
  return rows
}

export async function countLeads(tx: Tx, parties: Party[], period: Days): Promise<number> {
  const { recent, byDay } = await sumsOf(tx, { parties, periods: [period] })
  const { rows } = await sql<{ count: number }>`with ${recent}
    select coalesce(sum(leads), 0)::float8 as count from ${byDay}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Rows of each affiliate, issuer and product: nearly as few as of each party alone, and days lie together. */
const eachRowOf = (parties: Party[]): Sql => sql`affiliate_id <> 0 and issuer_id <> 0 and ${isOf(parties)}`

/** Those of the party alone or of the whole network, where it is one. */
const fewestRowsOf = (parties: Party[]): Sql =>
  parties.length > 1
    ? eachRowOf(parties)
    : all(
        (['affiliate_id', 'issuer_id', 'product_id'] as const).map(
          (name) => sql`${sql.ref(name)} = ${name === parties[0]?.[0] ? parties[0][1] : 0}`,
        ),
      )

const all = (conditions: Sql[]): RawBuilder<boolean> => sql`${sql.join([sql`true`, ...conditions], sql` and `)}`

export const isOf = (parties: Party[]) => all(parties.map(([party, id]) => sql`${sql.ref(party)} = ${id}`))

export const isDuring = (day: Sql, { from, to }: Days) =>
  all([...(from ? [sql`${day} >= ${from}::date`] : []), ...(to ? [sql`${day} <= ${to}::date`] : [])])

/** A condition on ids, which begin with the moment: only partitions of that time are looked at. */
export const isClickedDuring = ({ from, to }: Days) =>
  all([
    ...(from ? [sql`tracking_id >= first_id_of(${midnight(from)})`] : []),
    ...(to ? [sql`tracking_id < first_id_of(${midnight(addDays(to, 1))})`] : []),
  ])

const midnight = (day: string): Sql => sql`(${day}::date::timestamp at time zone ${sql.lit(TIME_ZONE)})`

const wholeOf = ({ periods }: Wanted): Days => ({ from: periods[0]?.from, to: periods.at(-1)?.to })

interface Part extends Days {
  grain: 'day' | 'month'
}

const tableOf = (parts: Part[]): Sql => {
  const rows = parts.map(
    ({ grain, from = '-infinity', to = 'infinity' }) => sql`(${grain}, ${from}::date, ${to}::date)`,
  )
  return sql`(values ${sql.join(rows)}) as part (grain, from_day, to_day)`
}

const inDays = ({ from, to }: Days): Part => ({ grain: 'day', from, to })

/** The months that are whole, and the days before and after them. */
function inMonths({ from, to }: Days): Part[] {
  if (!from || !to) return [inDays({ from, to })]
  const first = firstOfMonth(from) === from ? from : firstOfMonth(addDays(firstOfMonth(from), 31))
  const last = addDays(firstOfMonth(addDays(to, 1)), -1)
  if (first > last) return [inDays({ from, to })]
  const [before, after] = [inDays({ from, to: addDays(first, -1) }), inDays({ from: addDays(last, 1), to })]
  return [...(from < first ? [before] : []), { grain: 'month', from: first, to: last }, ...(last < to ? [after] : [])]
}

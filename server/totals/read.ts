import { type RawBuilder, sql } from 'kysely'
import { addDays, firstOfMonth } from '#contract/time.ts'
import type { Tx } from '#db/connect.ts'
import { midnight } from '../midnight.ts'
import type { Party } from '../parties.ts'

type Sql = RawBuilder<unknown>

/** Days of Mexico City, both ends included; an absent end is no limit. */
export interface Days {
  from?: string | undefined
  to?: string | undefined
}

interface Wanted {
  parties: Party[]
  /** In order; no day is in two. */
  periods: readonly Days[]
}

/**
 * Tables for one statement, `with ${recent} select day, sum(leads) from ${byDay} group by day`: both others read `recent`,
 * which is what no total holds yet. Their rows have `day` (the first of what is summed up), `affiliate_id`, `issuer_id`,
 * `product_id`, `leads`, `conversions` and the four states of commission; several may have the same key. db/functions/totals.sql
 * lists the rows that there are to read from.
 */
export interface Sums {
  recent: Sql
  /** Ids are 0 where the totals of one party serve. */
  byDay: Sql
  /** Rows have their three ids; whole months come in one row. */
  byParty: Sql
}

/** Commission that is not reversed. */
export const earned = sql`accrued + in_payment + paid`

/** Read in the snapshot of the sums, and before them: a constant leaves all but the last partitions out. */
export async function readUncountedId(tx: Tx): Promise<string> {
  const { rows } = await sql<{ id: string }>`select first_uncounted_id() as id`.execute(tx)
  return rows[0]?.id as string
}

export async function sumsOf(tx: Tx, wanted: Wanted): Promise<Sums> {
  const uncountedId = await readUncountedId(tx)
  // Grouped by the hour first: the day of each lead would cost more than all the rest.
  return sumsWith(
    wanted,
    sql`union all
    select mexico_day(hour), affiliate_id, issuer_id, product_id, count, 0, 0.00, 0.00, 0.00, 0.00
    from (
      select date_bin('1 hour', created_at, 'epoch') as hour, affiliate_id, issuer_id, product_id, count(*) as count
      from lead where tracking_id >= ${uncountedId}::uuid and ${isOf(wanted.parties)} and ${isClickedDuring(wholeOf(wanted))}
      group by 1, 2, 3, 4
    ) as clicks`,
  )
}

/** Without the leads that no total holds yet: counting them is most of the work, and commission needs none. */
export const sumsWithoutOpenLeads = (wanted: Wanted): Sums => sumsWith(wanted, sql``)

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
      select day, ${FIGURES} from (
        select day, ${FIGURES} from total_delta
        where step_id = 0 and ${isOf(parties)} and ${isDuring(sql`day`, wholeOf(wanted))} ${clicks}
      ) as fresh where ${sql.join(
        periods.map((period) => isDuring(sql`day`, period)),
        sql` or `,
      )}
    )`,
    byDay: sums(periods.map(inDays), rowsOfOneParty(parties)),
    byParty: sums(periods.flatMap(inMonths), rowsOfTriples(parties)),
  }
}

/** The same of steps of a product, which is one of the parties: rows of `day`, `step_id`, `events` and `reached`. */
export const stepSumsOf = (parties: Party[], period: Days): Sql => sql`(
  select first_day as day, step_id, events, reached from total
  where grain = 'day' and step_id <> 0 and ${rowsOfTriples(parties)} and ${isDuring(sql`first_day`, period)}
  union all
  select day, step_id, events, reached
  from total_delta where step_id <> 0 and ${isOf(parties)} and ${isDuring(sql`day`, period)}
) as sums`

/**
 * Conversions of the day of a moment, up to it. Only the pairs of which the totals know that day are looked up, since
 * entries are indexed by pair.
 */
export async function countConversionsUntil(tx: Tx, moment: string): Promise<number> {
  const day = sql`mexico_day(${moment})`
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(converts), 0)::int8 as count
    from (
      select affiliate_id, issuer_id from total
      where grain = 'day' and first_day = ${day} and affiliate_id <> 0 and issuer_id <> 0 and step_id = 0
      union select affiliate_id, issuer_id from total_delta where day = ${day} and step_id = 0
    ) as pair join commission_entry using (affiliate_id, issuer_id)
    -- Nothing is due before it is earned.
    where due_on >= ${day} and earned_at >= ${midnight(day)} and earned_at <= ${moment} and state <> 'reversed'`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

export interface DayCount {
  day: string
  count: number
}

/** The number of leads of each day, oldest first. */
export async function readLeadDays(tx: Tx, parties: Party[], period: Days): Promise<DayCount[]> {
  const uncountedId = await readUncountedId(tx)
  const { recent, byDay } = sumsWithoutOpenLeads({ parties, periods: [period] })
  const isUncounted = sql`tracking_id >= ${uncountedId}::uuid`
  const edge = (direction: Sql) =>
    sql`(select mexico_day(created_at) from lead where ${isUncounted} order by tracking_id ${direction} limit 1)`
  // Counted day by day, twice as fast as the groups of sumsOf().
  const { rows } = await sql<DayCount>`with ${recent}
    select day, sum(leads)::float8 as count from (
      select day, leads from ${byDay}
      union all
      select uncounted::date, (select count(*) from lead where ${isUncounted} and ${isOf(parties)}
        and tracking_id >= first_id_of(${midnight(sql`uncounted`)})
        and tracking_id < first_id_of(${midnight(sql`uncounted + '1 day'`)}))
      from generate_series(${edge(sql`asc`)}::timestamp, ${edge(sql`desc`)}, '1 day') as uncounted
      where ${isDuring(sql`uncounted`, period)}
    ) as counts group by day having sum(leads) <> 0 order by day`.execute(tx)
  return rows
}

export async function countLeads(tx: Tx, parties: Party[], period: Days): Promise<number> {
  const days = await readLeadDays(tx, parties, period)
  return days.reduce((sum, day) => sum + day.count, 0)
}

/** Rows of one affiliate, issuer and product each. */
const rowsOfTriples = (parties: Party[]): Sql => sql`affiliate_id <> 0 and issuer_id <> 0 and ${isOf(parties)}`

/** Rows of the one party or of the whole network; for several parties, triples. */
const rowsOfOneParty = (parties: Party[]): Sql =>
  parties.length > 1
    ? rowsOfTriples(parties)
    : all(
        (['affiliate_id', 'issuer_id', 'product_id'] as const).map(
          (name) => sql`${sql.ref(name)} = ${name === parties[0]?.[0] ? parties[0][1] : 0}`,
        ),
      )

const all = (conditions: Sql[]): RawBuilder<boolean> => sql`${sql.join([sql`true`, ...conditions], sql` and `)}`

export const isOf = (parties: Party[]) => all(parties.map(([party, id]) => sql`${sql.ref(party)} = ${id}`))

export const isDuring = (day: Sql, { from, to }: Days) =>
  all([...(from ? [sql`${day} >= ${from}::date`] : []), ...(to ? [sql`${day} <= ${to}::date`] : [])])

/** A condition on ids, which begin with the moment: only partitions of that time are read. Ids begin in 1970. */
export const isClickedDuring = ({ from, to }: Days, id: Sql = sql`tracking_id`) => {
  const firstOf = (day: Sql) => sql`first_id_of(greatest(${midnight(day)}, 'epoch'))`
  return all([
    ...(from ? [sql`${id} >= ${firstOf(sql`${from}::date`)}`] : []),
    ...(to ? [sql`${id} < ${firstOf(sql`${to}::date + 1`)}`] : []),
  ])
}

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

/** The whole months, and the days before and after them. */
function inMonths({ from, to }: Days): Part[] {
  if (!from || !to) return [inDays({ from, to })]
  const first = firstOfMonth(from) === from ? from : firstOfMonth(addDays(firstOfMonth(from), 31))
  const last = addDays(firstOfMonth(addDays(to, 1)), -1)
  if (first > last) return [inDays({ from, to })]
  const [before, after] = [inDays({ from, to: addDays(first, -1) }), inDays({ from: addDays(last, 1), to })]
  return [...(from < first ? [before] : []), { grain: 'month', from: first, to: last }, ...(last < to ? [after] : [])]
}

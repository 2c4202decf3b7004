import { type RawBuilder, sql } from 'kysely'
import { addDays, TIME_ZONE } from '#contract/time.ts'
import type { Tx } from '#db/connect.ts'
import type { Party } from '../parties.ts'
import { all, type Condition, isOf } from './filters.ts'

/** Whose leads are everybody's. */
const NETWORK = ['network', 0] as const

/** How many leads a day of Mexico City brought. */
export interface Day {
  day: string
  count: number
}

/** Where a page begins: so many rows after the edge of the days that hold it; the last day does not count. */
interface Span {
  offset: number
  from: string
  until: string
}

/** The kept totals of some parties' leads, oldest day first. */
export async function readDays(tx: Tx, parties: Party[]): Promise<Day[]> {
  const { rows } = await sql<Day>`
    select day, sum(count)::float as count from ${countsOf(parties)} group by day order by day`.execute(tx)
  return rows
}

/** Of the party with the fewest leads, those that are filed: enough for a guess, and nothing that came since is read. */
export async function readFiledDays(tx: Tx, parties: Party[]): Promise<Day[]> {
  const named = parties.length ? parties : [NETWORK]
  const { rows } = await sql<Day & { place: number }>`
    select place::int, day, count::float as count
    from unnest(${named.map(([party]) => party)}::text[], ${named.map(([, id]) => id)}::bigint[])
      with ordinality as named (party, party_id, place)
    join filed_day using (party, party_id) order by place, day`.execute(tx)
  const ofEach = named.map((_, index) => rows.filter(({ place }) => place === index + 1))
  return ofEach.reduce((fewest, days) => (totalOf(days) < totalOf(fewest) ? days : fewest))
}

/** How many leads came on a `day`, of some parties together or of everybody: rows of `count`, several a day. */
export function countsOf(parties: Party[]): RawBuilder<unknown> {
  if (parties.length > 1) return sql`(select day, count from lead_count where ${all(isOf(parties))}) as counted`
  const [party, id] = parties[0] ?? NETWORK
  return sql`(select day, count from lead_day where party = ${party} and party_id = ${id}) as counted`
}

export const totalOf = (days: Day[]): number => days.reduce((sum, { count }) => sum + count, 0)

/**
 * The days that hold a page and its offset within them. A far page then costs one day's rows at most, and a rare pair's
 * page never walks through the days on which nothing happened.
 */
export function spanOf(days: Day[], wanted: { offset: number; size: number; newestFirst: boolean }): Span {
  const inOrder = wanted.newestFirst ? days.toReversed() : days
  let { offset } = wanted
  let rest = wanted.size
  const holding: string[] = []
  for (const { day, count } of inOrder) {
    if (holding.length === 0 && offset >= count) {
      offset -= count
      continue
    }
    rest -= holding.length === 0 ? count - offset : count
    holding.push(day)
    if (rest <= 0) break
  }
  const [first = '', last = first] = [holding[0], holding.at(-1)].toSorted()
  return { offset, from: first, until: addDays(last, 1) }
}

/** Whether a lead came on this day of Mexico City or later, or before it. */
export const isSince = (day: string): Condition => sql`created_at >= ${midnight(day)}`
export const isBefore = (day: string): Condition => sql`created_at < ${midnight(day)}`

const midnight = (day: string) => sql<string>`${day}::date::timestamp at time zone ${sql.lit(TIME_ZONE)}`

import { addDays } from '#contract/time.ts'
import type { Tx } from '#db/connect.ts'
import type { Party } from './filters.ts'

/** How many leads a day of Mexico City brought. */
export interface Day {
  day: string
  count: number
}

/** Where a page begins: so many rows after the edge of the days that hold it; the last day does not count. */
export interface Span {
  offset: number
  from: string
  until: string
}

/** The kept totals of some parties' leads, oldest day first. */
export async function readDays(tx: Tx, parties: Party[]): Promise<Day[]> {
  let rows = tx.selectFrom(countsOf(parties))
  for (const [party, id] of parties) rows = rows.where(party as 'issuer_id', '=', id)
  const days = await rows
    .select((eb) => [eb.ref('day').$notNull().as('day'), eb.fn.sum<string>('count').as('count')])
    .groupBy('day')
    .orderBy('day')
    .execute()
  return days.map(({ day, count }) => ({ day, count: Number(count) }))
}

/** Whether what is kept by issuer alone is enough, which is a hundredth of the rows. */
export const tellsIssuers = (parties: Party[]): boolean => parties.every(([party]) => party === 'issuer_id')

/** Where their leads are counted by day. */
export const countsOf = (parties: Party[]): 'lead_day' | 'lead_count' =>
  tellsIssuers(parties) ? 'lead_day' : 'lead_count'

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

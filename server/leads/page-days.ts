import type { DayCount } from '../totals/read.ts'

/** The days that hold a page, both ends included, and how many of their rows come before it. */
interface Held {
  offset: number
  from: string
  to: string
}

/**
 * The days that hold a page, and its offset within them. A far page then costs one day's rows at most, and a rare pair's
 * page never scans days without leads.
 */
export function daysHolding(days: DayCount[], wanted: { offset: number; size: number; newestFirst: boolean }): Held {
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
  const [from = '', to = from] = [holding[0], holding.at(-1)].toSorted()
  return { offset, from, to }
}

import { addDays, daysBetween, firstOfWeek } from '#contract/time.ts'

/** A line through so few days would say little. */
const MAX_BARS = 14

/** How one figure a day is drawn. */
export const kindFor = (days: number): 'bar' | 'area' => (days <= MAX_BARS ? 'bar' : 'area')

const isMonday = (day: string): boolean => firstOfWeek(day) === day
const isWeekend = (day: string): boolean => daysBetween(firstOfWeek(day), day) >= 5

/** Each day is the one after the one before it. */
const isDaily = (days: readonly string[]): boolean =>
  days.every((day, index) => index === 0 || day === addDays(days[index - 1] ?? day, 1))

/** At most so many, evenly apart: Mondays where there is more than a fortnight of days. */
export function ticksOf(days: readonly string[], most: number): string[] {
  const ticks = isDaily(days) && days.length > MAX_BARS ? days.filter(isMonday) : days
  const every = Math.max(1, Math.ceil(ticks.length / most))
  return ticks.filter((_, index) => (ticks.length - 1 - index) % every === 0)
}

/** The places of the first and the last day of each weekend; none where the rows are not days. */
export function weekendsOf(days: readonly string[]): [first: number, last: number][] {
  if (days.length < 2 || !isDaily(days)) return []
  return days.flatMap((day, index): [number, number][] => {
    if (!isWeekend(day) || (index > 0 && isWeekend(days[index - 1] ?? ''))) return []
    return [[index, isWeekend(days[index + 1] ?? firstOfWeek(day)) ? index + 1 : index]]
  })
}

import { z } from 'zod'
import { CalendarDate } from './fields.ts'
import { addDays, dateInMexico, daysBetween, firstOfMonth, firstOfWeek } from './time.ts'

/** A year and a day, so that every year fits. */
const MAX_PERIOD_DAYS = 366

/** Before there was anything to report. */
const FIRST_DAY = '2000-01-01'

/** Both ends count. */
export const Period = z.object({ from: CalendarDate, to: CalendarDate })
export type Period = z.infer<typeof Period>

/** So many complete days: up to yesterday in Mexico City. */
export const lastDays = (days: number, today: string = dateInMexico()): Period => ({
  from: addDays(today, -days),
  to: addDays(today, -1),
})
export const DEFAULT_DAYS = 30

export const daysIn = ({ from, to }: Period): number => daysBetween(from, to) + 1

export const Comparison = z.object({ period: Period, previous_period: Period })
export type Comparison = z.infer<typeof Comparison>

/**
 * The complete days of a period and as many before it (D75); null where no day of it is over. A month, whole or running,
 * stands beside the same days of the month before where that has them all, a running week beside those of the week before.
 */
export function comparisonOf({ from, to }: Period, today: string = dateInMexico()): Comparison | null {
  const isRunning = to >= today
  const period = { from, to: isRunning ? addDays(today, -1) : to }
  if (period.to < from) return null
  const days = daysIn(period)
  const month = firstOfMonth(from)
  const ofMonth = from === month && to < addDays(month, 31) && firstOfMonth(to) === month
  const isMonth = ofMonth && (isRunning || firstOfMonth(addDays(to, 1)) !== month)
  const monthBefore = firstOfMonth(addDays(month, -1))
  if (isMonth && addDays(monthBefore, days) <= month) return beside(period, monthBefore)
  if (isRunning && from === firstOfWeek(today)) return beside(period, addDays(from, -7))
  return beside(period, addDays(from, -days))
}

const beside = (period: Period, from: string): Comparison => ({
  period,
  previous_period: { from, to: addDays(from, daysIn(period) - 1) },
})

/** Undefined when the two days make a period. */
export function periodProblem({ from, to }: Period): string | undefined {
  if (from < FIRST_DAY) return `El periodo no puede empezar antes de ${FIRST_DAY.slice(0, 4)}`
  if (to < from) return 'La fecha de fin no puede ser anterior a la de inicio'
  return daysIn({ from, to }) > MAX_PERIOD_DAYS ? `El periodo no puede exceder ${MAX_PERIOD_DAYS} días` : undefined
}

/** The last thirty complete days, unless told otherwise; from a day that is not over, that day. */
export function periodOf({ from, to }: Partial<Period>, today: string = dateInMexico()): Period {
  const yesterday = addDays(today, -1)
  const last = to ?? (from !== undefined && from > yesterday ? from : yesterday)
  return { from: from ?? addDays(last, 1 - DEFAULT_DAYS), to: last }
}

import { addDays, dateInMexico, firstOfMonth, TIME_ZONE } from '#contract/time.ts'

const offsets = new Intl.DateTimeFormat('en-US', { timeZone: TIME_ZONE, timeZoneName: 'longOffset' })

/** Milliseconds at which a calendar day begins in Mexico City. */
export function startOfDay(date: string): number {
  const offset = offsets.formatToParts(Date.parse(`${date}T06:00:00Z`)).find((part) => part.type === 'timeZoneName')
  return Date.parse(`${date}T00:00:00${offset?.value.replace('GMT', '') || 'Z'}`)
}

export const iso = (moment: number): string => new Date(moment).toISOString()

/** The calendar date of a moment in Mexico City. */
export const dateOf = (moment: number): string => dateInMexico(new Date(moment))

/** A moment of a calendar day, by hour and minute of Mexico City. */
export const at = (date: string, hour: number, minute = 0): number => startOfDay(date) + (hour * 60 + minute) * 60_000

export const monthOf = (date: string): string => date.slice(0, 7)
export const lastOfMonth = (date: string): string => addDays(firstOfMonth(addDays(firstOfMonth(date), 31)), -1)

/** 0 is Sunday. */
export const weekday = (date: string): number => new Date(`${date}T12:00:00Z`).getUTCDay()
export const dayOfMonth = (date: string): number => Number(date.slice(8))

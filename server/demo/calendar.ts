import { addDays, dateInMexico, firstOfMonth, startOfDay } from '#contract/time.ts'

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

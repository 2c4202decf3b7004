import { once } from './once.ts'

/** Where "today", month filters and payment periods are evaluated; by name, since its offset changed in 2022. */
export const TIME_ZONE = 'America/Mexico_City'

const calendar = once(() => new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE }))

/** The calendar date of a moment in Mexico City, yyyy-MM-dd. */
export const dateInMexico = (moment: Date = new Date()): string => calendar().format(moment)

const offsets = once(() => new Intl.DateTimeFormat('en-US', { timeZone: TIME_ZONE, timeZoneName: 'longOffset' }))

/** Milliseconds at which a calendar date, yyyy-MM-dd, begins in Mexico City. */
export function startOfDay(date: string): number {
  const offset = offsets()
    .formatToParts(Date.parse(`${date}T06:00:00Z`))
    .find((part) => part.type === 'timeZoneName')
  return Date.parse(`${date}T00:00:00${offset?.value.replace('GMT', '') || 'Z'}`)
}

/** Days from `from` to `to`, both yyyy-MM-dd, counting neither clock nor zone. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000

/** yyyy-MM-dd moved by whole days. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)

/** yyyy-MM-dd as dd/MM/yyyy, with the time behind it where there is one. */
export const dayFirst = (date: string): string =>
  `${date.slice(0, 10).split('-').toReversed().join('/')}${date.slice(10)}`

/** The Monday of the week that a calendar date is in. */
export const firstOfWeek = (date: string): string => addDays(date, -((new Date(date).getUTCDay() + 6) % 7))

/** Of the month that a calendar date is in. */
export const firstOfMonth = (date: string): string => `${date.slice(0, 7)}-01`

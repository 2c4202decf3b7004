import { counted, formatNumber } from '#contract/numbers.ts'
import { once } from '#contract/once.ts'
import { TIME_ZONE } from '#contract/time.ts'

export { counted, formatNumber }

export const MISSING = 'No disponible'
export const INVALID_DATE = 'Fecha no disponible'

const LOCALE = 'es-MX'
const money = once(
  () => new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'MXN', currencyDisplay: 'narrowSymbol' }),
)
const percent = once(() => new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 2 }))

/** `$1,234.50`. Decimal text is never rounded through a float; what is no number is returned unchanged. */
export function formatMoney(amount: string | number): string {
  if (!isDecimal(amount)) return String(amount)
  return money().format(amount as `${number}`)
}

export const isNegative = (amount: string | number): boolean => isDecimal(amount) && Number(amount) < 0

const isDecimal = (amount: string | number): boolean => /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(String(amount))

/** `12.50%`; the server sends percentages already multiplied by 100. */
export const formatPercent = (value: string | number): string =>
  isDecimal(value) ? `${percent().format(Number(value))}%` : String(value)

/** `1 día`, `31 días`. */
export const daysText = (days: number): string => counted(days, 'día', 'días')

export type DateStyle = 'day' | 'dayTime' | 'longDay' | 'longDayTime' | 'month' | 'time' | 'weekday'

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const digits = { day: '2-digit', month: '2-digit', year: 'numeric' } as const
const weekday = { weekday: 'short', day: 'numeric', month: 'short' } as const
const long = { day: 'numeric', month: 'long', year: 'numeric' } as const

const formats = (timeZone: string): Record<DateStyle, () => Intl.DateTimeFormat> => ({
  day: once(() => new Intl.DateTimeFormat(LOCALE, { ...digits, timeZone })),
  dayTime: once(() => new Intl.DateTimeFormat(LOCALE, { ...digits, ...clock, timeZone })),
  longDay: once(() => new Intl.DateTimeFormat(LOCALE, { ...long, timeZone })),
  longDayTime: once(() => new Intl.DateTimeFormat(LOCALE, { ...long, ...clock, timeZone })),
  month: once(() => new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone })),
  time: once(() => new Intl.DateTimeFormat(LOCALE, { ...clock, timeZone })),
  weekday: once(() => new Intl.DateTimeFormat(LOCALE, { ...weekday, timeZone })),
})
const inMexico = formats(TIME_ZONE)
// A calendar date has no zone: noon in UTC, formatted in UTC, is the same day everywhere.
const onCalendar = formats('UTC')

const CALENDAR_DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/** A moment or a calendar date in words, or undefined when the text is no date. */
export function formatDate(value: string, style: DateStyle): string | undefined {
  const isCalendar = CALENDAR_DATE.test(value)
  const moment = isCalendar ? calendarNoon(value) : new Date(value)
  if (!moment || Number.isNaN(moment.getTime())) return undefined
  return (isCalendar ? onCalendar : inMexico)[style]().format(moment).replace(',', '')
}

/** Undefined for a day that no calendar has. */
function calendarNoon(text: string): Date | undefined {
  const [, year, month, day] = CALENDAR_DATE.exec(text) ?? []
  if (!day) return undefined
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day), 12))
  return date.getUTCMonth() === Number(month) - 1 ? date : undefined
}

const MONTHS = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic']

/**
 * '1–31 oct 2026', '28 sep – 4 oct 2026', '28 dic 2025 – 3 ene 2026', of calendar dates; undefined when a text is none. The
 * locale's own range repeats 'de' twice. Without `withYear` a year is told only where the two differ.
 */
export function formatPeriod(from: string, to: string, withYear = true): string | undefined {
  const [first, last] = [partsOf(from), partsOf(to)]
  if (!first || !last) return undefined
  const year = withYear || first.year !== last.year ? ` ${last.year}` : ''
  if (first.month === last.month && first.year === last.year)
    return `${from === to ? last.day : `${first.day}–${last.day}`} ${last.month}${year}`
  const firstYear = first.year === last.year ? '' : ` ${first.year}`
  return `${first.day} ${first.month}${firstYear} – ${last.day} ${last.month}${year}`
}

function partsOf(text: string) {
  const date = calendarNoon(text)
  return date && { year: date.getUTCFullYear(), month: MONTHS[date.getUTCMonth()] ?? '', day: date.getUTCDate() }
}

const relative = once(() => new Intl.RelativeTimeFormat(LOCALE))
const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/**
 * 'hace 3 horas'. Time that passed, never 'ayer' or 'el mes pasado', which depend on the calendar; undefined when the text
 * is no moment.
 */
export function formatRelative(value: string, now: number = Date.now()): string | undefined {
  const seconds = (new Date(value).getTime() - now) / 1000
  if (Number.isNaN(seconds)) return undefined
  for (const [unit, length] of steps) {
    if (Math.abs(seconds) >= length) return relative().format(Math.trunc(seconds / length), unit)
  }
  return 'hace un momento'
}

/** `+52 XXX XXX XXXX`; anything else stays as it is. */
export const formatPhone = (phone: string): string => phone.replace(/^\+52(\d{3})(\d{3})(\d{4})$/, '+52 $1 $2 $3')

/** At most `length` characters and an ellipsis. */
export function cutAt(text: string, length: number): string {
  const characters = [...text]
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : text
}

const megabytes = once(() => new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 }))

/** '12 kB', '12.5 MB' */
export const formatBytes = (bytes: number): string =>
  bytes < 1_000_000 ? `${formatNumber(Math.ceil(bytes / 1000))} kB` : `${megabytes().format(bytes / 1_000_000)} MB`

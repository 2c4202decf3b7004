import { TIME_ZONE } from './time.ts'

/** A moment as another system wrote it. */
export interface SaidMoment {
  /** RFC 3339. */
  moment: string
  /** It came without a zone, so that Mexico City's was taken (D87). */
  isLocal: boolean
}

const SHAPE =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[Tt\s]\s*(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?$/
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/
const EPOCH = /^(\d{9,11}|\d{12,14}|\d{15,17})(?:[.,]\d+)?$/

/** What systems write for a moment: RFC 3339, SQL's, a day alone, seconds, milliseconds or microseconds since 1970. */
export function readMoment(said: string | number): SaidMoment | undefined {
  const text = String(said).trim()
  const read = EPOCH.test(text) ? ofEpoch(text) : ofCalendar(text)
  // Later years have five digits, which no reader of ours takes; 1970 is what an empty column becomes.
  return read && read.at > 0 && read.at < Date.UTC(9999, 0) ? { moment: read.moment, isLocal: read.isLocal } : undefined
}

interface Read extends SaidMoment {
  at: number
}

function ofEpoch(text: string): Read {
  const whole = text.replace(/[.,].*/, '').length
  const unit = whole < 12 ? 1000 : whole < 15 ? 1 : 0.001
  const at = Math.trunc(Number(text.replace(',', '.')) * unit)
  return { at, moment: new Date(at).toISOString(), isLocal: false }
}

function ofCalendar(text: string): Read | undefined {
  const found = SHAPE.exec(text)
  if (!found) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone] = found
  const wall = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}`
  const asUtc = Date.parse(`${wall}Z`)
  // A day that the month does not have would become one of the next month.
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString().slice(0, 19) !== wall.slice(0, 19)) return undefined
  if (zone === undefined) {
    const at = inMexico(asUtc)
    return { at, moment: new Date(at).toISOString(), isLocal: true }
  }
  const at = Date.parse(wall + offsetOf(zone))
  return { at, moment: RFC_3339.test(text) ? text : new Date(at).toISOString(), isLocal: false }
}

/** '+0000' as '+00:00'. */
const offsetOf = (zone: string): string =>
  /^[a-z]/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`

/** The moment at which the clocks of Mexico City show this, given as if it were UTC's; of two the first. */
function inMexico(wall: number): number {
  const guess = wall - offsetAt(wall)
  return wall - offsetAt(guess)
}

function offsetAt(moment: number): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: TIME_ZONE, timeZoneName: 'longOffset' }).formatToParts(
    moment,
  )
  const [, sign = '+', hours = '0', minutes = '0'] =
    /GMT([+-])(\d{2}):(\d{2})/.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

import { TIME_ZONE } from '#contract/time.ts'

const clock = new Intl.DateTimeFormat('es-MX', {
  timeZone: TIME_ZONE,
  dateStyle: 'short',
  timeStyle: 'short',
  hourCycle: 'h23',
})
const calendar = new Intl.DateTimeFormat('es-MX', {
  timeZone: TIME_ZONE,
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
})
export const moment = (iso: string): string => `${day(iso)} ${clock.format(new Date(iso)).slice(-5)}`
export const day = (iso: string): string => calendar.format(new Date(iso))

export const factsOf = (facts: Record<string, string | null | undefined>) =>
  Object.entries(facts).flatMap(([label, value]) => (value ? [{ label, value }] : []))

export const NOTHING = { amount: null, facts: [], link: null }

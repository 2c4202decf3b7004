import { DEFAULT_DAYS, lastDays, type Period, periodProblem } from '#contract/periods.ts'
import { addDays, dateInMexico, firstOfMonth, firstOfWeek } from '#contract/time.ts'
import { rangeText } from '#web/charts/comparison.ts'
import { isDay } from '#web/table/address.ts'
import type { Option } from '#web/ui/option.ts'

/** The filters as the address holds them. */
export const NO_FILTERS = { periodo: '30', desde: '', hasta: '', product_id: '', issuer_id: '', affiliate_id: '' }
export type Filters = typeof NO_FILTERS

export const CUSTOM = 'otro'

/** Weeks begin on Monday. So many days are complete ones; what is called this or today counts today as well. */
const presets: { value: string; label: string; days: (today: string) => Period }[] = [
  { value: 'hoy', label: 'Hoy', days: (today) => ({ from: today, to: today }) },
  { value: 'ayer', label: 'Ayer', days: (today) => lastDays(1, today) },
  { value: 'semana', label: 'Esta semana', days: (today) => ({ from: firstOfWeek(today), to: today }) },
  {
    value: 'semana-pasada',
    label: 'Semana pasada',
    days: (today) => ({ from: addDays(firstOfWeek(today), -7), to: addDays(firstOfWeek(today), -1) }),
  },
  { value: 'mes', label: 'Este mes', days: (today) => ({ from: firstOfMonth(today), to: today }) },
  { value: 'mes-anterior', label: 'Mes pasado', days: (today) => monthOf(addDays(firstOfMonth(today), -1)) },
  { value: '7', label: 'Últimos 7 días', days: (today) => lastDays(7, today) },
  { value: '30', label: 'Últimos 30 días', days: (today) => lastDays(DEFAULT_DAYS, today) },
  { value: '90', label: 'Últimos 90 días', days: (today) => lastDays(90, today) },
  { value: '365', label: 'Últimos 365 días', days: (today) => lastDays(365, today) },
  { value: 'anio', label: 'Este año', days: (today) => ({ from: `${today.slice(0, 4)}-01-01`, to: today }) },
]

const monthOf = (lastDay: string): Period => ({ from: firstOfMonth(lastDay), to: lastDay })

/** Each with the days that it means. */
export const periodOptions = (today: string = dateInMexico()): Option[] => [
  ...presets.map(({ value, label, days }) => ({ value, label, hint: rangeText(days(today), today) })),
  { value: CUSTOM, label: 'Otro rango' },
]

/** A typed address may hold anything; days to come are left out, and an invalid period becomes the last thirty days. */
export function periodOf({ periodo, desde: from, hasta }: Filters, today: string = dateInMexico()): Period {
  const to = hasta < today ? hasta : today
  if (periodo === CUSTOM && isDay(from) && isDay(hasta) && !periodProblem({ from, to })) return { from, to }
  const preset = presets.find(({ value }) => value === periodo)
  return preset ? preset.days(today) : lastDays(DEFAULT_DAYS, today)
}

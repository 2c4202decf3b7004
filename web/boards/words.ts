import type { Change } from '#web/charts/change.ts'
import { rangeText } from '#web/charts/comparison.ts'
import { formatDate, formatMoney, formatNumber, formatPercent } from '#web/ui/format.ts'

const compact = new Intl.NumberFormat('es-MX', { notation: 'compact', maximumFractionDigits: 1 })

/** '1.2 k' on the axes, where there is little room; tables and tooltips say it in full. */
export const shortNumber = (value: number): string => compact.format(value)
export const shortMoney = (value: number): string => `${value < 0 ? '-' : ''}$${compact.format(Math.abs(value))}`
export const shortPercent = (value: number): string => `${compact.format(value)}%`

/** '4 mar' */
export const shortDay = (day: string): string => rangeText({ from: day, to: day }, day)
export const longDay = (day: string): string => formatDate(day, 'longDay') ?? day

/** Percent with one decimal; null when there was nothing before. */
export function changeBetween(value: number | string, previous: number | string): number | null {
  const [now, then] = [Number(value), Number(previous)]
  return then === 0 ? null : Math.round(((now - then) / Math.abs(then)) * 1000) / 10
}

const signed = new Intl.NumberFormat('es-MX', { maximumFractionDigits: 2, signDisplay: 'exceptZero' })

/** '+1.25 puntos' between two percentages. */
export function pointsBetween(now: number, before: number): Change {
  const points = Math.round((now - before) * 100) / 100
  if (points === 0) return { direction: 'same', text: 'Sin cambio' }
  return { direction: points > 0 ? 'up' : 'down', text: `${signed.format(points)} puntos` }
}

export interface Measure {
  value: 'leads' | 'conversions' | 'commission'
  label: string
  text: (value: number | string) => string
  axis: (value: number) => string
}

const asNumber = (value: number | string): string => formatNumber(Number(value))

export const measures: readonly Measure[] = [
  { value: 'leads', label: 'Leads', text: asNumber, axis: shortNumber },
  { value: 'conversions', label: 'Conversiones', text: asNumber, axis: shortNumber },
  { value: 'commission', label: 'Comisión', text: formatMoney, axis: shortMoney },
]

export const percent = (value: number): string => formatPercent(value)

/** What the legend of a chart calls a day that is not over. */
export const RUNNING = 'Hoy, en curso'

import { formatMoney, formatNumber } from '#web/ui/format.ts'

export interface Compared {
  value: number | string
  previous: number | string
  /** Percent with one decimal; null when there was nothing before. */
  change: number | null
}

export interface Change {
  direction: 'up' | 'down' | 'same'
  text: string
}

const percent = new Intl.NumberFormat('es-MX', { maximumFractionDigits: 1, signDisplay: 'exceptZero' })

/** '+12.5%'; what grew from nothing, or is not over, has no percentage and says by how much. */
export function changeOf({ value, previous, change }: Compared): Change {
  const grown = change ?? Number(value) - Number(previous)
  if (grown === 0) return { direction: 'same', text: 'Sin cambio' }
  const text = change === null ? difference(typeof value === 'string' ? value : grown) : `${percent.format(change)}%`
  return { direction: grown > 0 ? 'up' : 'down', text }
}

/** Money travels as text, counts as numbers. */
const difference = (value: number | string): string =>
  `${Number(value) > 0 ? '+' : ''}${typeof value === 'string' ? formatMoney(value) : formatNumber(value)}`

import { once } from './once.ts'

const whole = once(() => new Intl.NumberFormat('es-MX'))

/** `1,234`. */
export const formatNumber = (value: number): string => whole().format(value)

/** `1 pago`, `2 pagos`. */
export const counted = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`

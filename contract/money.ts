import { once } from './once.ts'

const pesos = once(() => new Intl.NumberFormat('es-MX', { style: 'currency', currency: 'MXN' }))

/** `$1,234.50`; decimal text is never rounded through a float. */
export const inPesos = (amount: string): string => pesos().format(amount as `${number}`)

const AMOUNT = /^(-?)(\d+)\.(\d{2})$/

/** Adds decimal texts of two places as whole centavos: no float comes near the money. */
export const sumAmounts = (amounts: readonly string[]): string =>
  amountOf(amounts.reduce((total, amount) => total + centavosOf(amount), 0n))

/** Of decimal texts of two places, like their sum. */
export const subtractAmounts = (from: string, amount: string): string => amountOf(centavosOf(from) - centavosOf(amount))

function amountOf(centavos: bigint): string {
  const digits = String(centavos < 0n ? -centavos : centavos).padStart(3, '0')
  return `${centavos < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function centavosOf(amount: string): bigint {
  const [, sign, whole, cents] = AMOUNT.exec(amount) ?? []
  if (whole === undefined) throw new TypeError(`No es un monto: ${amount}`)
  return BigInt(`${sign}${whole}${cents}`)
}

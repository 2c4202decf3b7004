const AMOUNT = /^(-?)(\d+)\.(\d{2})$/

/** Adds decimal texts of two places as whole centavos: no float comes near the money. */
export function sumAmounts(amounts: readonly string[]): string {
  const centavos = amounts.reduce((total, amount) => total + centavosOf(amount), 0n)
  const digits = String(centavos < 0n ? -centavos : centavos).padStart(3, '0')
  return `${centavos < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function centavosOf(amount: string): bigint {
  const [, sign, whole, cents] = AMOUNT.exec(amount) ?? []
  if (whole === undefined) throw new TypeError(`No es un monto: ${amount}`)
  return BigInt(`${sign}${whole}${cents}`)
}

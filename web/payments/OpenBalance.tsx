import { formatMoney, isNegative } from '#web/ui/format.ts'

/** What is still owed to somebody whose work ends, or by them. */
export function OpenBalance({ amount }: { amount: string }) {
  if (Number(amount) === 0) return <p>Sin saldo por pagar.</p>
  const sum = <strong className="text-ink">{formatMoney(amount.replace('-', ''))}</strong>
  return isNegative(amount) ? (
    <p>Saldo en contra: {sum}. Se conserva y se descuenta si vuelve a ganar comisiones.</p>
  ) : (
    <p>Saldo por pagar: {sum}. Se conserva y se paga después, como finiquito.</p>
  )
}

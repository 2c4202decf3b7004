import { useMemo } from 'react'
import type { Payment } from '#contract/payments.ts'
import { counted, formatMoney } from '#web/ui/format.ts'
import { summaryOf } from './summary.ts'

interface Props {
  payments: readonly Payment[]
  shown: (payment: Payment) => boolean
}

/** '12 pagos · $46,570.00', of what the filters leave. */
export function PaymentCount({ payments, shown }: Props) {
  const { count, amount, cancelled } = useMemo(() => summaryOf(payments.filter(shown)), [payments, shown])
  return (
    <span role="status">
      {`${counted(count, 'pago', 'pagos')} · ${formatMoney(amount)}`}
      {cancelled > 0 && ` · sin sumar ${counted(cancelled, 'cancelado', 'cancelados')}`}
    </span>
  )
}

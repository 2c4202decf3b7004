import type { Payment } from '#contract/payments.ts'
import { formatMoney } from '#web/ui/format.ts'
import { RemoveDialog } from '#web/ui/RemoveDialog.tsx'
import { Period } from './PaymentParts.tsx'
import { useRemovePayment } from './saves.ts'

const HELD = ' Sus comisiones vuelven a quedar devengadas.'

interface Props {
  payment: Payment
  onClose: () => void
  onRemoved: (() => void) | undefined
}

const PaymentRemoveDialog = ({ payment, ...rest }: Props) => (
  <RemoveDialog title="Eliminar Pago" remove={useRemovePayment()} id={payment.id} {...rest}>
    ¿Eliminar el pago de {formatMoney(payment.total_amount)} de {payment.issuer_name} a {payment.affiliate_name}, del
    periodo <Period payment={payment} />?{payment.payment_status !== 'cancelled' && HELD}
  </RemoveDialog>
)

export default PaymentRemoveDialog

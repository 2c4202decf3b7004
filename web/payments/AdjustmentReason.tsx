import { subtractAmounts } from '#contract/money.ts'
import { REASON_LIMIT } from '#contract/payments.ts'
import { twoDecimals } from '#web/form/clean.ts'
import { TextArea } from '#web/form/TextArea.tsx'
import { formatMoney, isNegative } from '#web/ui/format.ts'
import type { Form } from './payment-form.ts'

interface Props {
  form: Form
  /** Their sum, if it is known. */
  commissions: string | undefined
  /** It was refused without. */
  required: boolean
}

/** Asks why the total is not that of its commissions. */
export function AdjustmentReason({ form, commissions, required }: Props) {
  const total = twoDecimals(form.watch('total_amount'))
  if (commissions === undefined || !/^\d+\.\d{2}$/.test(total)) return null
  const adjustment = subtractAmounts(total, commissions)
  if (adjustment === '0.00') return null
  return (
    <TextArea
      name="adjustment_reason"
      label="Motivo del ajuste"
      control={form.control}
      optional={!required}
      wide
      rows={2}
      limit={REASON_LIMIT}
      help={`El monto ${isNegative(adjustment) ? 'quita' : 'agrega'} ${formatMoney(adjustment.replace('-', ''))} a ${formatMoney(commissions)} en comisiones. El afiliado y el emisor leen por qué.`}
    />
  )
}

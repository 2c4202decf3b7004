import { subtractAmounts } from '#contract/money.ts'
import { balanceAgainst } from '#contract/payment-texts.ts'
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
  /** Once money was sent, another difference has its reason. */
  wasPaid: boolean
}

/** Asks why the total is not that of its commissions, or why they are paid though they changed. */
export function AdjustmentReason({ form, commissions, required, wasPaid }: Props) {
  const total = twoDecimals(form.watch('total_amount'))
  if (commissions === undefined || !/^\d+\.\d{2}$/.test(total)) return null
  // A balance against is held by no payment: all of the total is added.
  const isAgainst = isNegative(commissions)
  const held = isAgainst ? '0.00' : commissions
  const adjustment = subtractAmounts(total, held)
  if (adjustment === '0.00' && !required) return null
  const difference = `${isNegative(adjustment) ? 'quita' : 'agrega'} ${formatMoney(adjustment.replace('-', ''))}`
  const what = adjustment === '0.00' ? '' : `El monto ${difference} a ${formatMoney(held)} en comisiones. `
  return (
    <>
      {isAgainst && (
        <p role="status" className="rounded-lg bg-danger-soft px-3 py-2 text-danger-ink sm:col-span-2">
          {balanceAgainst(commissions)}
        </p>
      )}
      <TextArea
        name="adjustment_reason"
        label="Motivo del ajuste"
        control={form.control}
        optional={!required && !wasPaid}
        wide
        rows={2}
        limit={REASON_LIMIT}
        help={`${what}El afiliado y el emisor leen por qué.`}
      />
    </>
  )
}

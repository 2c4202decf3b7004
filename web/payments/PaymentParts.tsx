import { type Payment, PaymentStatus, paymentStatusLabels } from '#contract/payments.ts'
import { PaymentBadge } from '#web/states/StateBadges.tsx'
import { Day } from '#web/ui/dates.tsx'

/** Commissions were rejected since the total was calculated; a cancelled payment has let all of its own go. */
export const hasChanged = ({ payment_status, entries_amount, calculated_amount }: Payment): boolean =>
  payment_status !== 'cancelled' && entries_amount !== calculated_amount

/** The status with what must be known of it at a glance. */
export const Status = ({ payment }: { payment: Payment }) => {
  const note = hasChanged(payment) ? 'Sus comisiones cambiaron' : payment.cancel_reason
  return (
    <span className="inline-grid justify-items-start gap-0.5 narrow:justify-items-end">
      <PaymentBadge status={payment.payment_status} />
      {note && (
        <>
          {' '}
          <span className="line-clamp-2 max-w-52 text-xs wrap-anywhere whitespace-normal text-muted">{note}</span>
        </>
      )}
    </span>
  )
}

export const statusOptions = PaymentStatus.options.map((value) => ({ value, label: paymentStatusLabels[value] }))

export const daysText = (days: number): string => `${days} ${days === 1 ? 'día' : 'días'}`

/** 01/10/2026 - 31/10/2026 (31 días) */
export const Period = ({ payment }: { payment: Payment }) => (
  <span className="whitespace-nowrap">
    <Day value={payment.period_start} /> - <Day value={payment.period_end} />{' '}
    <span className="text-muted middling:block">({daysText(payment.period_duration_days)})</span>
  </span>
)

import { type Payment, PaymentStatus, paymentStatusLabels } from '#contract/payments.ts'
import { PaymentBadge } from '#web/states/StateBadges.tsx'
import { DayRange, ShortDayRange } from '#web/ui/dates.tsx'

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

const periodOf = ({ period_start, period_end, period_duration_days }: Payment) => ({
  from: period_start,
  to: period_end,
  days: period_duration_days,
})

/** 01/10/2026 - 31/10/2026 (31 días) */
export const Period = ({ payment }: { payment: Payment }) => <DayRange {...periodOf(payment)} />

/** 1–31 oct 2026 31 días */
export const ShortPeriod = ({ payment }: { payment: Payment }) => <ShortDayRange {...periodOf(payment)} />

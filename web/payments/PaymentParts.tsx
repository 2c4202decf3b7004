import { type Payment, paymentStatusLabels } from '#contract/payments.ts'
import { PaymentBadge } from '#web/states/StateBadges.tsx'
import { DayRange, ShortDayRange } from '#web/ui/dates.tsx'
import { optionsOf } from '#web/ui/option.ts'

/** Commissions were rejected since the total was calculated; a cancelled payment has let all of its own go. */
export const hasChanged = ({ payment_status, entries_amount, calculated_amount }: Payment): boolean =>
  payment_status !== 'cancelled' && entries_amount !== calculated_amount

/** The status with what must be known of it at a glance. */
export const Status = ({ payment }: { payment: Payment }) => {
  const note = hasChanged(payment) ? 'Sus comisiones cambiaron' : payment.cancel_reason
  return (
    <span className="inline-flex max-w-full items-center gap-1.5 narrow:grid narrow:justify-items-end narrow:gap-0.5">
      <PaymentBadge status={payment.payment_status} />
      {note && (
        <>
          {' '}
          <span
            className="line-clamp-1 max-w-28 text-xs break-all text-muted narrow:line-clamp-2 narrow:max-w-52 narrow:[word-break:normal] narrow:wrap-anywhere"
            title={note}
          >
            {note}
          </span>
        </>
      )}
    </span>
  )
}

export const statusOptions = optionsOf(paymentStatusLabels)

const periodOf = ({ period_start, period_end, period_duration_days }: Payment) => ({
  from: period_start,
  to: period_end,
  days: period_duration_days,
})

/** 01/10/2026 - 31/10/2026 (31 días) */
export const Period = ({ payment }: { payment: Payment }) => <DayRange {...periodOf(payment)} />

/** 1–31 oct 2026 31 días */
export const ShortPeriod = ({ payment }: { payment: Payment }) => <ShortDayRange {...periodOf(payment)} />

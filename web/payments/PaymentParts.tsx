import { Info, TriangleAlert } from 'lucide-react'
import { type Payment, paymentStatusLabels } from '#contract/payments.ts'
import { PaymentBadge } from '#web/states/StateBadges.tsx'
import { DayRange, ShortDayRange } from '#web/ui/dates.tsx'
import { optionsOf } from '#web/ui/option.ts'

/** Commissions were rejected since the total was calculated; a cancelled payment has let all of its own go. */
export const hasChanged = ({ payment_status, entries_amount, calculated_amount }: Payment): boolean =>
  payment_status !== 'cancelled' && entries_amount !== calculated_amount

/** The status, and by an icon what must be known of it at a glance: a row has no room for the words. */
export const Status = ({ payment }: { payment: Payment }) => {
  const [Icon, tone, note] = hasChanged(payment)
    ? [TriangleAlert, 'text-danger-ink', 'Sus comisiones cambiaron']
    : [Info, 'text-muted', payment.cancel_reason]
  return (
    <span className="inline-flex max-w-full items-center gap-1.5 narrow:in-[tr]:grid narrow:in-[tr]:justify-items-end">
      <PaymentBadge status={payment.payment_status} />
      {note && (
        <span title={note} className={`narrow:in-[tr]:line-clamp-2 ${tone}`}>
          {' '}
          <Icon aria-hidden className="size-4 narrow:in-[tr]:hidden" />
          <span className="sr-only text-xs narrow:in-[tr]:not-sr-only">{note}</span>
        </span>
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

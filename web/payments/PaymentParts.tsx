import { type Payment, PaymentStatus, paymentStatusLabels } from '#contract/payments.ts'
import { Badge, type Tone } from '#web/ui/Badge.tsx'
import { Day } from '#web/ui/dates.tsx'

const tones: Record<PaymentStatus, Tone> = {
  pending: 'neutral',
  processing: 'info',
  paid: 'success',
  cancelled: 'danger',
}

/** A status that we do not know shows as it came, looking like a pending one (specification section 4). */
export const StatusBadge = ({ status }: { status: string }) => {
  const known = PaymentStatus.safeParse(status).data
  return <Badge tone={tones[known ?? 'pending']}>{known ? paymentStatusLabels[known] : status}</Badge>
}

export const statusOptions = PaymentStatus.options.map((value) => ({ value, label: paymentStatusLabels[value] }))

export const daysText = (days: number): string => `${days} ${days === 1 ? 'día' : 'días'}`

/** 01/10/2026 - 31/10/2026 (31 días) */
export const Period = ({ payment }: { payment: Payment }) => (
  <span className="whitespace-nowrap">
    <Day value={payment.period_start} /> - <Day value={payment.period_end} />{' '}
    <span className="text-muted">({daysText(payment.period_duration_days)})</span>
  </span>
)

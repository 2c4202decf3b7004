import type { Payment } from '#contract/payments.ts'
import { daysBetween } from '#contract/time.ts'

type Paid = Pick<Payment, 'id' | 'affiliate' | 'issuer' | 'period_start' | 'period_end' | 'payment_status'>

interface Asking {
  /** The payment being edited does not overlap with itself. */
  id?: number | undefined
  affiliate: number
  issuer: number
  period_start: string
  period_end: string
}

type PeriodNote = { kind: 'overlap'; with: Paid } | { kind: 'gap'; days: number }

/** Whether a period overlaps another payment of the pair or leaves unpaid days before it. */
export function periodNote(asking: Asking, payments: readonly Paid[]): PeriodNote | undefined {
  const { id, affiliate, issuer, period_start: start, period_end: end } = asking
  if (!start || !end || end < start) return undefined
  const others = payments.filter(
    (paid) =>
      paid.id !== id && paid.affiliate === affiliate && paid.issuer === issuer && paid.payment_status !== 'cancelled',
  )
  const overlapping = others.find((paid) => paid.period_start <= end && paid.period_end >= start)
  if (overlapping) return { kind: 'overlap', with: overlapping }
  const ends = others.map((paid) => paid.period_end).filter((day) => day < start)
  const last = ends.sort().at(-1)
  const days = last ? daysBetween(last, start) - 1 : 0
  return days > 0 ? { kind: 'gap', days } : undefined
}

import type { UseFormReturn } from 'react-hook-form'
import type { PaymentPreview } from '#contract/payment-preview.ts'
import type { OpenBalance, Payment, PaymentCreate, PaymentStatus } from '#contract/payments.ts'
import { addDays, dateInMexico } from '#contract/time.ts'
import { twoDecimals } from '#web/form/clean.ts'
import type { Asked } from './queries.ts'

/** What the dialog holds. */
interface Values {
  relationship: number | null
  period_start: string
  period_end: string
  total_leads: number | null
  total_conversions: number | null
  total_amount: string
  payment_status: PaymentStatus
  payment_date: string
  adjustment_reason: string
  cancel_reason: string
  notes: string
}

export const empty: Values = {
  relationship: null,
  period_start: '',
  period_end: '',
  total_leads: null,
  total_conversions: null,
  total_amount: '',
  payment_status: 'pending',
  payment_date: '',
  adjustment_reason: '',
  cancel_reason: '',
  notes: '',
}

/** A payment of what a pair has earned until today, from its first commission on; a period has two days at least. */
export function valuesFor({ relationship, since }: OpenBalance): Values {
  const today = dateInMexico()
  const start = since !== null && since < today ? since : addDays(today, -1)
  return { ...empty, relationship, period_start: start, period_end: today }
}

export const valuesOf = (payment: Payment): Values => ({
  relationship: payment.relationship,
  period_start: payment.period_start,
  period_end: payment.period_end,
  total_leads: payment.total_leads,
  total_conversions: payment.total_conversions,
  total_amount: payment.total_amount,
  payment_status: payment.payment_status,
  payment_date: payment.payment_date ?? '',
  adjustment_reason: payment.adjustment_reason,
  cancel_reason: payment.cancel_reason,
  notes: payment.notes,
})

export type Form = UseFormReturn<Values, unknown, PaymentCreate>

/** What decides which commissions a payment is calculated from. */
export const EXTENT = ['relationship', 'period_start', 'period_end'] as const

export function askedOf(
  [relationship, period_start, period_end]: readonly [number | null, string, string],
  payment: Payment | undefined,
): Asked | undefined {
  if (!relationship || !period_start || !period_end) return undefined
  return { relationship, period_start, period_end, payment: payment?.id }
}

/** What a total is measured against: one that is typed anew, against the commissions of now. */
export const commissionsOf = (form: Form, payment: Payment | undefined): string | undefined =>
  payment && twoDecimals(form.watch('total_amount')) !== payment.total_amount
    ? payment.entries_amount
    : payment?.calculated_amount

/** Empties the totals that a calculation filled; one that was typed since stays. */
export function clearTotals(form: Form, { total_leads, total_conversions, total_amount }: PaymentPreview): void {
  const { getValues, setValue } = form
  if (getValues('total_leads') === total_leads) setValue('total_leads', null)
  if (getValues('total_conversions') === total_conversions) setValue('total_conversions', null)
  if (twoDecimals(getValues('total_amount')) === total_amount) setValue('total_amount', '')
}

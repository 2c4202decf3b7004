import { sumAmounts } from '#contract/money.ts'
import { amountOf } from '#contract/payment-texts.ts'
import type { Payment } from '#contract/payments.ts'

export interface Summary {
  count: number
  amount: string
  cancelled: number
}

type Summed = Pick<Payment, 'payment_status' | 'total_amount' | 'entries_amount' | 'adjustment'>

/** Of these, whatever their status. */
export const sumOf = (payments: readonly Summed[]): string => sumAmounts(payments.map(amountOf))

/** Of the payments that the filters leave; a cancelled one counts and is in no sum (D75). */
export function summaryOf(payments: readonly Summed[]): Summary {
  const standing = payments.filter(({ payment_status }) => payment_status !== 'cancelled')
  return {
    count: payments.length,
    amount: sumOf(standing),
    cancelled: payments.length - standing.length,
  }
}

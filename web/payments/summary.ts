import { sumAmounts } from '#contract/money.ts'
import type { Payment } from '#contract/payments.ts'

export interface Summary {
  count: number
  amount: string
  cancelled: number
}

/** Of these, whatever their status. */
export const sumOf = (payments: readonly Pick<Payment, 'total_amount'>[]): string =>
  sumAmounts(payments.map(({ total_amount }) => total_amount))

/** Of the payments that the filters leave; a cancelled one counts and is in no sum (D75). */
export function summaryOf(payments: readonly Pick<Payment, 'total_amount' | 'payment_status'>[]): Summary {
  const standing = payments.filter(({ payment_status }) => payment_status !== 'cancelled')
  return {
    count: payments.length,
    amount: sumOf(standing),
    cancelled: payments.length - standing.length,
  }
}

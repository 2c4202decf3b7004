import { sumAmounts } from '#contract/money.ts'
import type { Payment } from '#contract/payments.ts'

export interface Summary {
  count: number
  amount: string
  cancelled: number
}

/** Of the payments that the filters leave; a cancelled one counts and is in no sum (D75). */
export function summaryOf(payments: readonly Pick<Payment, 'total_amount' | 'payment_status'>[]): Summary {
  const standing = payments.filter(({ payment_status }) => payment_status !== 'cancelled')
  return {
    count: payments.length,
    amount: sumAmounts(standing.map(({ total_amount }) => total_amount)),
    cancelled: payments.length - standing.length,
  }
}

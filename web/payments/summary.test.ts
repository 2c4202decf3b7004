import { expect, test } from 'vitest'
import type { PaymentStatus } from '#contract/payments.ts'
import { summaryOf } from './summary.ts'

const payment = (
  total_amount: string,
  payment_status: PaymentStatus = 'pending',
  entries_amount = payment_status === 'cancelled' ? '0.00' : total_amount,
) => ({ total_amount, payment_status, entries_amount, adjustment: '0.00' })

test.each([
  ['none', [], { count: 0, amount: '0.00', cancelled: 0 }],
  ['centavos', [payment('0.10'), payment('0.20', 'paid')], { count: 2, amount: '0.30', cancelled: 0 }],
  [
    'a cancelled one counts and is in no sum',
    [payment('4740.00', 'cancelled'), payment('4740.00', 'processing')],
    { count: 2, amount: '4740.00', cancelled: 1 },
  ],
  [
    'one whose commissions changed is what it holds now',
    [payment('400.00', 'pending', '200.00'), payment('10.00')],
    { count: 2, amount: '210.00', cancelled: 0 },
  ],
  ['cancelled ones alone', [payment('9.00', 'cancelled')], { count: 1, amount: '0.00', cancelled: 1 }],
])('sums up payments: %s', (_, payments, summary) => {
  expect(summaryOf(payments)).toEqual(summary)
})

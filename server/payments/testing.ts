import type { Db } from '#db/connect.ts'

/** March 2025 of a relationship, with every field that a payment needs. */
export const paymentForm = (relationship: number) => ({
  relationship,
  period_start: '2025-03-01',
  period_end: '2025-03-31',
  total_leads: 10,
  total_conversions: 3,
  total_amount: '1600.50',
  payment_date: '2025-04-04',
  notes: '',
})

export const entriesIn = (db: Db, paymentId: number) =>
  db
    .selectFrom('commission_entry')
    .select(['id', 'state'])
    .where('payment_id', '=', paymentId)
    .where('of_payment', 'is', null)
    .orderBy('id')
    .execute()

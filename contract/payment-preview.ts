import { z } from 'zod'
import { EntryPage } from './commission-entries.ts'
import { Id, Money } from './fields.ts'

/** `since` is the day of the first one. */
const EarlierEntries = z.object({ entries: z.number(), amount: Money, since: z.iso.date().nullable() })

/** What a payment of this relationship and period would hold (api.md 5). */
export const PaymentPreview = z.object({
  total_leads: z.number(),
  total_conversions: z.number(),
  conversion_rate: z.number(),
  /** What to pay: the sum of the entries, or 0.00 while they are a balance against the affiliate. */
  total_amount: Money,
  /**
   * The sum of the entries, of either sign, and the highest id of theirs and of those unpaid before the period (0 without
   * any): sent back when saving.
   */
  entries_amount: Money,
  upto: z.number().int(),
  entries: EntryPage,
  /** Entries of the period that other payments hold; not counted above. */
  held_elsewhere: z.array(z.object({ payment_id: Id, entries: z.number(), amount: Money })),
  /** A balance against the affiliate from days before the period, which is deducted here: part of the sum above. */
  carried: EarlierEntries,
  /**
   * Accrued entries of the pair from days before the period, which no payment holds: earned late on the last day of a
   * payment made that same day, or in days that no payment covers.
   */
  unpaid_before: EarlierEntries,
})
export type PaymentPreview = z.infer<typeof PaymentPreview>

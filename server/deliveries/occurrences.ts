import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'

type PaymentOccurrence = 'payment.created' | 'payment.paid' | 'payment.cancelled'

/** In the transaction of the change, like its audit. Events and what they earn announce themselves (events.sql). */
export async function announcePayment(tx: Tx, type: PaymentOccurrence, id: number): Promise<void> {
  await sql`insert into occurrence (type, affiliate_id, issuer_id, payment_id)
    select ${type}, affiliate_id, issuer_id, id from payment where id = ${id}`.execute(tx)
  if (type !== 'payment.paid') return
  await sql`insert into occurrence (type, affiliate_id, issuer_id, product_id, tracking_id, entry_id, payment_id)
    select 'commission.paid', affiliate_id, issuer_id, product_id, tracking_id, id, payment_id
    from commission_entry where payment_id = ${id} and state = 'paid' order by id`.execute(tx)
}

type Status = { payment_status: string }

/** What a change of its status means to others; nothing when it stays open. */
export function occurrenceOf(before: Status | undefined, after: Status): PaymentOccurrence | undefined {
  const [was, is] = [before?.payment_status, after.payment_status]
  if (was === is) return undefined
  if (is === 'paid') return 'payment.paid'
  if (is === 'cancelled') return before && 'payment.cancelled'
  return was === undefined || was === 'cancelled' ? 'payment.created' : undefined
}

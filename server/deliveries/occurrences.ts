import { sql } from 'kysely'
import type { NoticeType } from '#contract/notices.ts'
import type { Tx } from '#db/connect.ts'

interface About {
  affiliate_id?: number | null
  issuer_id?: number | null
  product_id?: number | null
  receiver_id?: number
  entry_id?: number
  rate_id?: number
  term_id?: number
  mail_id?: number
  /** Whose alone it is. */
  user_id?: number
  /** Who did it and is not told. */
  actor_id?: number
  detail?: string
}

/** In the transaction of the change, like its audit. */
export async function announce(tx: Tx, type: NoticeType, ...about: [About, ...About[]]): Promise<void> {
  await tx
    .insertInto('occurrence')
    .values(about.map((one) => ({ type, ...one })))
    .execute()
}

type PaymentOccurrence = 'payment.created' | 'payment.paid' | 'payment.cancelled'

/** Events and what they earn announce themselves (events.sql). */
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

/** That a commission, or the default of a product, is another from a moment on; `detail` where its amount is not news. */
export async function announceRate(tx: Tx, id: number, detail: 'ended' | 'cancelled' | null = null): Promise<void> {
  const rate = sql`select rate.*, issuer_id from rate join product on product.id = rate.product_id where rate.id = ${id}`
  await sql`insert into occurrence (type, affiliate_id, issuer_id, product_id, rate_id, detail)
    select 'commission.changed', affiliate_id, issuer_id, product_id, id, ${detail} from (${rate}) as rate`.execute(tx)
}

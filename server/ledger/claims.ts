import { type SqlBool, sql } from 'kysely'
import type { CommissionEntry, EntryPage } from '#contract/commission-entries.ts'
import type { PaymentStatus } from '#contract/payments.ts'
import { TIME_ZONE } from '#contract/time.ts'
import type { Db, Tx } from '#db/connect.ts'

/**
 * The entries that a payment may hold. By the pair, not the relationship: an entry stays with the affiliate that earned
 * it even when the relationship is later changed to another pair (D24).
 */
export interface Claim {
  affiliate_id: number
  issuer_id: number
  period_start: string
  period_end: string
}

/** Whether a moment's date in Mexico City lies in the period, both ends included; a range, for the sake of an index. */
export const inPeriod = (column: string, { period_start, period_end }: Claim) => {
  const zone = sql.lit(TIME_ZONE)
  return sql<SqlBool>`(${sql.ref(column)} >= ${period_start}::date::timestamp at time zone ${zone}
    and ${sql.ref(column)} < (${period_end}::date + 1)::timestamp at time zone ${zone})`
}

const entriesOf = (db: Db | Tx, claim: Claim) =>
  entriesOfPair(db, claim).where(inPeriod('commission_entry.earned_at', claim))

export const entriesOfPair = (db: Db | Tx, { affiliate_id, issuer_id }: Pick<Claim, 'affiliate_id' | 'issuer_id'>) =>
  db
    .selectFrom('commission_entry')
    .where('commission_entry.affiliate_id', '=', affiliate_id)
    .where('commission_entry.issuer_id', '=', issuer_id)

const stateUnder = (status: PaymentStatus) => (status === 'paid' ? 'paid' : 'in_payment')

/** Gives the payment every accrued entry of its period; locked in one order, so that two claims never deadlock. */
export async function claimEntries(tx: Tx, paymentId: number, status: PaymentStatus, claim: Claim): Promise<void> {
  if (status === 'cancelled') return
  await tx
    .with('mine', (cte) =>
      entriesOf(cte as unknown as Tx, claim)
        .select('commission_entry.id')
        .where('commission_entry.state', '=', 'accrued')
        .orderBy('commission_entry.id')
        .forUpdate(),
    )
    .updateTable('commission_entry')
    .from('mine')
    .whereRef('commission_entry.id', '=', 'mine.id')
    .set({ state: stateUnder(status), payment_id: paymentId })
    .execute()
}

/** In one order, like every lock of entries, so that a payment and a rejected lead never deadlock. */
const lockHeldEntries = (tx: Tx, paymentId: number) =>
  tx.selectFrom('commission_entry').select('id').where('payment_id', '=', paymentId).orderBy('id').forUpdate().execute()

/** Back to accrued, free for another payment; what was reversed meanwhile stays reversed. */
export async function releaseEntries(tx: Tx, paymentId: number): Promise<void> {
  await lockHeldEntries(tx, paymentId)
  await tx
    .updateTable('commission_entry')
    .set({ state: sql`case state when 'reversed' then state else 'accrued' end`, payment_id: null })
    .where('payment_id', '=', paymentId)
    .execute()
}

export async function settleEntries(tx: Tx, paymentId: number, status: PaymentStatus): Promise<void> {
  await lockHeldEntries(tx, paymentId)
  await tx
    .updateTable('commission_entry')
    .set({ state: stateUnder(status) })
    .where('payment_id', '=', paymentId)
    .where('state', 'in', ['in_payment', 'paid'])
    .where('state', '<>', stateUnder(status))
    .execute()
}

interface Page {
  page: number
  page_size: number
}

export type Entries = ReturnType<typeof entriesOf>

export async function pageOf(entries: Entries, { page, page_size }: Page): Promise<EntryPage> {
  const { count } = await entries.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const results = await described(entries)
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  return {
    results: results as CommissionEntry[],
    pagination: { count, current_page: page, total_pages: Math.ceil(count / page_size), page_size },
  }
}

/** With the lead, the step and the product that each came from, in the order in which they were earned. */
const described = (entries: Entries) =>
  entries
    .innerJoin('lead', 'lead.tracking_id', 'commission_entry.tracking_id')
    .innerJoin('lead_event', 'lead_event.id', 'commission_entry.lead_event_id')
    .innerJoin('product', 'product.id', 'commission_entry.product_id')
    .select([
      'commission_entry.id',
      'commission_entry.lead_id',
      'lead.tracking_id',
      'lead.external_id',
      'commission_entry.product_id',
      'product.name as product_name',
      'commission_entry.step_id',
      'lead_event.step_name',
      'commission_entry.amount',
      'commission_entry.state',
      'commission_entry.earned_at',
      'commission_entry.payment_id',
      'commission_entry.reason',
    ])
    .orderBy('commission_entry.earned_at')
    .orderBy('commission_entry.id')

/** The entries of a payment; one reversed while in it stays visible without counting. */
const heldEntries = (db: Db | Tx, paymentId: number): Entries =>
  db.selectFrom('commission_entry').where('commission_entry.payment_id', '=', paymentId)

export const listHeldEntries = (db: Db, paymentId: number, page: Page): Promise<EntryPage> =>
  pageOf(heldEntries(db, paymentId), page)

/** All of them, for a caller that has found the payment visible. */
export const allHeldEntries = (db: Db | Tx, paymentId: number) => described(heldEntries(db, paymentId))

/** Entries that no payment holds, and those that this payment holds already. */
export const claimableBy = (db: Db | Tx, own: number | null, claim: Claim) =>
  entriesOf(db, claim).where((eb) =>
    eb.or([
      eb('commission_entry.state', '=', 'accrued'),
      eb.and([eb('commission_entry.payment_id', '=', own), eb('commission_entry.state', 'in', ['in_payment', 'paid'])]),
    ]),
  )

/** The amount that a preview of this payment shows. */
export async function claimableAmount(tx: Tx, paymentId: number, claim: Claim): Promise<string> {
  const { amount } = await claimableBy(tx, paymentId, claim)
    .select(sql<string>`coalesce(sum(commission_entry.amount), 0.00)`.as('amount'))
    .executeTakeFirstOrThrow()
  return amount
}

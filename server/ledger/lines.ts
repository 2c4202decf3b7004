import { sql } from 'kysely'
import type { CommissionEntry, EntryPage } from '#contract/commission-entries.ts'
import type { Db, Tx } from '#db/connect.ts'
import { type PageQuery, paginationOf } from '../http/lists.ts'
import { externalIdOf, kindOf, productNameOf, stepNameOf } from './origin.ts'

const entriesIn = (db: Db | Tx) => db.selectFrom('commission_entry')
export type Entries = ReturnType<typeof entriesIn>

export async function pageOf(entries: Entries, page: PageQuery): Promise<EntryPage> {
  const { count } = await entries.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const results = await described(entries)
    .limit(page.page_size)
    .offset((page.page - 1) * page.page_size)
    .execute()
  return {
    results: results as CommissionEntry[],
    pagination: paginationOf(count, page),
  }
}

/** With the lead, the step and the product that each came from, if any, in the order in which they were earned. */
const described = (entries: Entries) =>
  entries
    .leftJoin('lead', 'lead.tracking_id', 'commission_entry.tracking_id')
    .leftJoin('lead_event', 'lead_event.id', 'commission_entry.lead_event_id')
    .leftJoin('product', 'product.id', 'commission_entry.product_id')
    .select([
      'commission_entry.id',
      kindOf,
      'commission_entry.lead_id',
      'commission_entry.tracking_id',
      externalIdOf,
      'commission_entry.product_id',
      productNameOf,
      'commission_entry.step_id',
      stepNameOf,
      'commission_entry.amount',
      'commission_entry.state',
      'commission_entry.earned_at',
      'commission_entry.payment_id',
      'commission_entry.reason',
      'commission_entry.note',
    ])
    .orderBy('commission_entry.earned_at')
    .orderBy('commission_entry.id')

/** The entries of a payment without its difference; one reversed while in it stays visible without counting. */
export const entriesOfPayment = (db: Db | Tx, paymentId: number): Entries =>
  entriesIn(db).where('commission_entry.payment_id', '=', paymentId).where('commission_entry.of_payment', 'is', null)

export const listEntriesOfPayment = (db: Db, paymentId: number, page: PageQuery): Promise<EntryPage> =>
  pageOf(entriesOfPayment(db, paymentId), page)

/** The same and then what its total was typed above or below them, so that lines add up to it. */
export const linesOfPayment = (db: Db | Tx, paymentId: number) =>
  described(entriesIn(db).where('commission_entry.payment_id', '=', paymentId))
    .select(sql<boolean>`of_payment is not null`.as('is_difference'))
    .clearOrderBy()
    .orderBy('is_difference')
    .orderBy('commission_entry.earned_at')
    .orderBy('commission_entry.id')

/** What a lead earned, for a caller that has found the lead visible. */
export const allEntriesOfLead = (db: Db | Tx, leadId: number) =>
  described(entriesIn(db).where('commission_entry.lead_id', '=', leadId))

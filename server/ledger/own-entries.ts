import { sql } from 'kysely'
import type { EntryFilters, OwnEntry, OwnEntryPage } from '#contract/commission-entries.ts'
import type { Db, Tx } from '#db/connect.ts'
import { type PageQuery, paginationOf } from '../http/lists.ts'
import { midnight } from '../midnight.ts'
import { inSnapshot } from '../snapshot.ts'
import type { Reader } from '../viewer.ts'
import { externalIdOf, kindOf, productNameOf, stepNameOf } from './origin.ts'
import { dueDay, standing } from './standing.ts'

export type EntryViewer = Extract<Reader, { role: 'affiliate' }>

/** Every read starts here, so no caller can forget whose rows these are. */
function ownEntries(db: Db | Tx, { affiliateId }: EntryViewer, { state, product_id, from, to, ...more }: EntryFilters) {
  let rows = db.selectFrom('commission_entry').where('commission_entry.affiliate_id', '=', affiliateId)
  if (state) rows = rows.where('commission_entry.state', '=', state)
  if (more.standing) rows = rows.where(standing, '=', more.standing)
  if (product_id) rows = rows.where('commission_entry.product_id', '=', product_id)
  if (from) rows = rows.where('earned_at', '>=', midnight(sql`${from}::date`))
  if (to) rows = rows.where('earned_at', '<', midnight(sql`${to}::date + 1`))
  return rows
}

/** The rows of a list or a file: what earned each entry and the payment that it is in, the newest first. */
export const filteredEntries = (db: Db | Tx, viewer: EntryViewer, filters: EntryFilters) =>
  ownEntries(db, viewer, filters)
    .leftJoin('lead', 'lead.tracking_id', 'commission_entry.tracking_id')
    .leftJoin('lead_event', 'lead_event.id', 'commission_entry.lead_event_id')
    .leftJoin('product', 'product.id', 'commission_entry.product_id')
    .innerJoin('issuer', 'issuer.id', 'commission_entry.issuer_id')
    .leftJoin('payment', 'payment.id', 'commission_entry.payment_id')
    .leftJoin('reject_reason', 'reject_reason.code', 'commission_entry.reason_code')
    .select([
      'commission_entry.id',
      kindOf,
      'commission_entry.lead_id',
      'commission_entry.tracking_id',
      externalIdOf,
      'commission_entry.product_id',
      productNameOf,
      'issuer.company_name as issuer_name',
      'commission_entry.step_id',
      stepNameOf,
      'commission_entry.amount',
      'commission_entry.state',
      'commission_entry.earned_at',
      'commission_entry.payment_id',
      'commission_entry.reason',
      'commission_entry.note',
      'commission_entry.reversal_of',
      standing.as('standing'),
      dueDay.as('due_on'),
      'payment.payment_status',
      'payment.payment_date',
      sql<string | null>`public_label(reject_reason)`.as('reject_label'),
      sql<string | null>`public_advice(reject_reason)`.as('advice'),
    ])
    .orderBy('commission_entry.earned_at', 'desc')
    .orderBy('commission_entry.id', 'desc')

export const listOwnEntries = (db: Db, viewer: EntryViewer, filters: EntryFilters & PageQuery): Promise<OwnEntryPage> =>
  inSnapshot(db, async (tx) => {
    const { page, page_size } = filters
    const { count, ...sums } = await ownEntries(tx, viewer, filters)
      .select((eb) => [
        eb.fn.countAll<number>().as('count'),
        sql<string>`coalesce(sum(amount) filter (where state <> 'reversed'), 0.00)`.as('amount'),
        sql<string>`coalesce(sum(amount) filter (where state = 'reversed'), 0.00)`.as('reversed_amount'),
      ])
      .executeTakeFirstOrThrow()
    // Chosen first: joined before, each entry of the affiliate would be looked up.
    const chosen = await ownEntries(tx, viewer, filters)
      .select('commission_entry.id')
      .orderBy('commission_entry.earned_at', 'desc')
      .orderBy('commission_entry.id', 'desc')
      .limit(page_size)
      .offset((page - 1) * page_size)
      .execute()
    const ids = chosen.map(({ id }) => id)
    const results = await filteredEntries(tx, viewer, {})
      .where('commission_entry.id', '=', sql<number>`any(${ids}::bigint[])`)
      .execute()
    return {
      results: results as OwnEntry[],
      pagination: paginationOf(count, filters),
      ...sums,
    }
  })

import { type SqlBool, sql } from 'kysely'
import type { Adjustment, AdjustmentFilters, AdjustmentPage } from '#contract/adjustments.ts'
import type { EntryState } from '#contract/commission-entries.ts'
import type { Db, Tx } from '#db/connect.ts'
import { notFound } from '../http/errors.ts'
import { type PageQuery, paginationOf } from '../http/lists.ts'
import { productNameOf } from '../ledger/origin.ts'
import { dueDay } from '../ledger/standing.ts'
import { inSnapshot } from '../snapshot.ts'
import type { Reader, Viewer } from '../viewer.ts'

export type AdjustmentViewer = Exclude<Viewer, { role: 'affiliate' }>
type AdjustmentReader = Exclude<Reader, { role: 'affiliate' }>

/** Also what became of a compensation with its lead: without it, they would not add up to what the affiliate has of them. */
const isTyped = sql<SqlBool>`(commission_entry.kind in ('bonus', 'adjustment') or commission_entry.compensates is not null)`

/** Every read starts here, so no caller can forget whose rows these are. */
function visibleAdjustments(db: Db | Tx, viewer: AdjustmentReader, filters: AdjustmentFilters = {}) {
  let rows = db.selectFrom('commission_entry').where(isTyped)
  if (viewer.role === 'issuer') rows = rows.where('commission_entry.issuer_id', '=', viewer.issuerId)
  if (filters.affiliate_id) rows = rows.where('commission_entry.affiliate_id', '=', filters.affiliate_id)
  if (filters.issuer_id) rows = rows.where('commission_entry.issuer_id', '=', filters.issuer_id)
  if (filters.kind) rows = rows.where('commission_entry.kind', filters.kind === 'bonus' ? '=' : '<>', 'bonus')
  if (filters.state) rows = rows.where('commission_entry.state', '=', filters.state)
  return rows
}

/** Who made it, administrators alone read. */
const described = (rows: ReturnType<typeof visibleAdjustments>, viewer: AdjustmentReader) =>
  rows
    .innerJoin('issuer', 'issuer.id', 'commission_entry.issuer_id')
    .innerJoin('affiliate', 'affiliate.id', 'commission_entry.affiliate_id')
    .leftJoin('product', 'product.id', 'commission_entry.product_id')
    .leftJoin('user', 'user.id', 'commission_entry.author_id')
    .select([
      'commission_entry.id',
      sql<Adjustment['kind']>`commission_entry.kind`.as('kind'),
      'commission_entry.affiliate_id as affiliate',
      'affiliate.company_name as affiliate_name',
      'commission_entry.issuer_id as issuer',
      'issuer.company_name as issuer_name',
      'commission_entry.product_id',
      productNameOf,
      'commission_entry.amount',
      sql<string>`commission_entry.note`.as('note'),
      sql<EntryState>`commission_entry.state`.as('state'),
      'commission_entry.reason',
      'commission_entry.payment_id',
      'commission_entry.of_payment',
      dueDay.as('due_on'),
      'commission_entry.earned_at as created_at',
      viewer.role === 'admin'
        ? sql<string | null>`"user".first_name || ' ' || "user".last_name`.as('author_name')
        : sql<null>`null`.as('author_name'),
    ])

export const listAdjustments = (
  db: Db,
  viewer: AdjustmentReader,
  { page, page_size, ...filters }: AdjustmentFilters & PageQuery,
): Promise<AdjustmentPage> =>
  inSnapshot(db, async (tx) => {
    const { count, amount } = await visibleAdjustments(tx, viewer, filters)
      .select((eb) => [
        eb.fn.countAll<number>().as('count'),
        sql<string>`coalesce(sum(amount) filter (where state <> 'reversed'), 0.00)`.as('amount'),
      ])
      .executeTakeFirstOrThrow()
    const results = await described(visibleAdjustments(tx, viewer, filters), viewer)
      .orderBy('commission_entry.id', 'desc')
      .limit(page_size)
      .offset((page - 1) * page_size)
      .execute()
    return {
      results,
      pagination: paginationOf(count, { page, page_size }),
      amount,
    }
  })

/** Throws 404 when the viewer does not see it. */
export async function getAdjustment(tx: Tx, viewer: AdjustmentViewer, id: number): Promise<Adjustment> {
  const row = await described(
    visibleAdjustments(tx, viewer).where('commission_entry.id', '=', id),
    viewer,
  ).executeTakeFirst()
  if (!row) throw notFound('Movimiento')
  return row
}

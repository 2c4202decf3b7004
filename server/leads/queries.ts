import { type SelectQueryBuilder, sql } from 'kysely'
import type { Lead, LeadFilters, LeadPage } from '#contract/leads.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { DB } from '#db/tables.ts'
import { AppError, notFound } from '../http/errors.ts'
import { Answer } from '../http/http.ts'
import { partiesOf } from '../parties.ts'
import { inSnapshot } from '../snapshot.ts'
import { readLeadDays } from '../totals/read.ts'
import type { Viewer } from '../viewer.ts'
import { hasText, matches, visibleLeads } from './filters.ts'
import { daysHolding } from './page-days.ts'
import { listEvents, toLead } from './wire.ts'

/** So many matches of a text are counted and shown, and so many leads at each end of an order other than time (D50, D51). */
export const MATCHES_MAX = 10_000

/** With the names of its parties, which stay readable when they are archived. */
const withNames = <O>(rows: SelectQueryBuilder<DB, 'lead', O>) =>
  rows
    .innerJoin('product', 'product.id', 'lead.product_id')
    .innerJoin('issuer', 'issuer.id', 'lead.issuer_id')
    .innerJoin('affiliate', 'affiliate.id', 'lead.affiliate_id')
    .select([
      'lead.id',
      'lead.tracking_id',
      'lead.external_id',
      'lead.created_at',
      'lead.lead_data',
      'lead.product_id',
      'lead.issuer_id',
      'lead.affiliate_id',
      'product.name as product_name',
      'issuer.company_name as issuer_name',
      'affiliate.company_name as affiliate_name',
      'lead.utm_source',
      'lead.utm_medium',
      'lead.utm_campaign',
      'lead.utm_term',
      'lead.utm_content',
    ])

/** A total order (D52): tracking ids begin with the moment of the click, so by them is by time. */
function orderOf(ordering: string) {
  const direction = ordering.startsWith('-') ? sql`desc` : sql`asc`
  const byTime = sql`lead.tracking_id ${direction}`
  switch (ordering.replace('-', '')) {
    case 'id':
      return sql`lead.id ${direction}`
    case 'external_id':
      return sql`lead.external_id ${direction}, ${byTime}`
    default:
      return byTime
  }
}

const isByTime = (ordering: string): boolean => /(created_at|tracking_id)$/.test(ordering)

/** All that the filters leave of what the viewer sees, in the wanted order. */
export const filteredLeads = (tx: Tx, viewer: Viewer, filters: LeadFilters) =>
  withNames(visibleLeads(tx, viewer)).where(matches(filters)).orderBy(orderOf(filters.ordering))

export async function getLead(db: Db, viewer: Viewer, id: number): Promise<Lead> {
  const row = await withNames(visibleLeads(db, viewer)).where('lead.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Lead')
  const events = await listEvents(db, [id])
  return toLead(viewer, row, events.get(id))
}

interface Page {
  count: number
  isCapped?: boolean
  /** Tracking ids in the wanted order; none beyond the last page. */
  ids: string[]
}

export const listLeads = (db: Db, viewer: Viewer, filters: LeadFilters): Promise<LeadPage | Answer<LeadPage>> =>
  inSnapshot(db, async (tx) => {
    const { count, isCapped, ids } = await (hasText(filters) ? findMatches : findByDays)(tx, viewer, filters)
    const rows = ids.length
      ? await withNames(visibleLeads(tx, viewer))
          .where('lead.tracking_id', '=', sql<string>`any(${ids}::uuid[])`)
          .orderBy(orderOf(filters.ordering))
          .execute()
      : []
    const events = await listEvents(
      tx,
      rows.map(({ id }) => id),
    )
    const { page, page_size } = filters
    const pagination = { count, current_page: page, total_pages: Math.ceil(count / page_size), page_size }
    const data = { results: rows.map((row) => toLead(viewer, row, events.get(row.id))), pagination }
    return isCapped ? new Answer(data, { meta: { count_is_capped: true } }) : data
  })

const offsetOf = ({ page, page_size }: LeadFilters): number => (page - 1) * page_size

const tooDeep = () =>
  new AppError(400, 'PAGE_TOO_DEEP', 'Acota la búsqueda: se muestran los primeros 10,000 resultados')

/** Exact at any size, and quick however far the page is: totals tell its days. */
async function findByDays(tx: Tx, viewer: Viewer, filters: LeadFilters): Promise<Page> {
  const days = await readLeadDays(tx, partiesOf(viewer, filters), filters)
  const count = days.reduce((sum, day) => sum + day.count, 0)
  const offset = offsetOf(filters)
  if (offset >= count) return { count, ids: [] }
  const { ordering, page_size } = filters
  if (isByTime(ordering)) {
    const held = daysHolding(days, { offset, size: page_size, newestFirst: ordering.startsWith('-') })
    return { count, ids: await readIds(tx, viewer, { ...filters, from: held.from, to: held.to }, held.offset) }
  }
  if (offset + page_size <= MATCHES_MAX) return { count, ids: await readIds(tx, viewer, filters, offset) }
  // Of the last pages the order is read from its other end.
  const size = Math.min(page_size, count - offset)
  const left = count - offset - size
  if (left + size > MATCHES_MAX) throw tooDeep()
  const turned = ordering.startsWith('-') ? ordering.slice(1) : `-${ordering}`
  return { count, ids: await readIds(tx, viewer, { ...filters, ordering: turned, page_size: size }, left) }
}

/** A text that few leads have is looked for once; what many have, the wanted order soon meets. */
async function findMatches(tx: Tx, viewer: Viewer, filters: LeadFilters): Promise<Page> {
  const offset = offsetOf(filters)
  const found = visibleLeads(tx, viewer)
    .select(['tracking_id', 'external_id', 'id'])
    .where(matches(filters))
    .limit(MATCHES_MAX + 1)
  const { rows } = await sql<{ count: number; ids: string[] }>`
    with found as materialized (${found})
    select (select count(*) from found)::int as count, array(
      select tracking_id::text from found as lead order by ${orderOf(filters.ordering)} limit ${filters.page_size} offset ${offset}
    ) as ids`.execute(tx)
  const { count, ids } = rows[0] ?? { count: 0, ids: [] }
  if (count <= MATCHES_MAX) return { count, ids }
  if (offset >= MATCHES_MAX) throw tooDeep()
  return { count: MATCHES_MAX, isCapped: true, ids: await readIds(tx, viewer, filters, offset) }
}

async function readIds(tx: Tx, viewer: Viewer, filters: LeadFilters, offset: number): Promise<string[]> {
  const rows = await visibleLeads(tx, viewer)
    .select('tracking_id')
    .where(matches(filters))
    .orderBy(orderOf(filters.ordering))
    .limit(filters.page_size)
    .offset(offset)
    .execute()
  return rows.map(({ tracking_id }) => tracking_id)
}

import { type SelectQueryBuilder, sql } from 'kysely'
import type { Lead, LeadFilters, LeadPage } from '#contract/leads.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { DB } from '#db/tables.ts'
import { notFound } from '../http/errors.ts'
import { Answer } from '../http/http.ts'
import type { Viewer } from '../viewer.ts'
import { matches, visibleLeads } from './filters.ts'
import { findPage } from './pages.ts'
import { readFiledId } from './search.ts'
import { orderOf, orderOfPlaced, placed } from './search-rows.ts'
import { listEvents, toLead } from './wire.ts'

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

/** All that the filters leave of what the viewer sees, in the wanted order; pages come from `listLeads`. In one snapshot. */
export async function filteredLeads(tx: Tx, viewer: Viewer, filters: LeadFilters) {
  const search = { viewer, filters, filedId: await readFiledId(tx) }
  return withNames(visibleLeads(tx, viewer))
    .innerJoin(sql<{ id: number }>`(${placed(search)})`.as('placed'), 'placed.id', 'lead.id')
    .where(matches(filters))
    .orderBy(orderOfPlaced(filters.ordering))
}

export async function getLead(db: Db, viewer: Viewer, id: number): Promise<Lead> {
  const row = await withNames(visibleLeads(db, viewer)).where('lead.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Lead')
  const events = await listEvents(db, [id])
  return toLead(viewer, row, events.get(id))
}

/** One picture of the tables for all of it, or a click between two questions would move the page. */
export function listLeads(db: Db, viewer: Viewer, filters: LeadFilters): Promise<LeadPage | Answer<LeadPage>> {
  const reading = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return reading.execute(async (tx) => {
    const { count, isEstimate, ids } = await findPage(tx, viewer, filters)
    const rows = withNames(visibleLeads(tx, viewer)).where('lead.id', 'in', ids)
    const leads = ids.length ? await rows.orderBy(orderOf(filters.ordering, 'lead.')).execute() : []
    const events = await listEvents(tx, ids)
    const { page, page_size } = filters
    const pagination = { count, current_page: page, total_pages: Math.ceil(count / page_size), page_size }
    const data = { results: leads.map((row) => toLead(viewer, row, events.get(row.id))), pagination }
    return isEstimate ? new Answer(data, { meta: { count_is_estimate: true } }) : data
  })
}

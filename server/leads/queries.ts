import { type SelectQueryBuilder, sql } from 'kysely'
import type { CommissionEntry } from '#contract/commission-entries.ts'
import type { LeadDetail, LeadFilters, LeadPage, LeadState } from '#contract/leads.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { DB } from '#db/tables.ts'
import { notFound } from '../http/errors.ts'
import { Answer } from '../http/http.ts'
import { paginationOf } from '../http/lists.ts'
import { allEntriesOfLead } from '../ledger/lines.ts'
import { findRejectStep, listRulings, readRejection } from '../rulings/queries.ts'
import { inSnapshot } from '../snapshot.ts'
import type { Reader } from '../viewer.ts'
import { matchingLeads, visibleLeads } from './filters.ts'
import { findPage, orderOf } from './pages.ts'
import { listEvents, toLead } from './wire.ts'

interface LeadStanding {
  state: LeadState
  amount: string | null
}

/** With what became of it and the names of its parties, which stay readable when they are archived. */
const described = <O>(rows: SelectQueryBuilder<DB, 'lead', O>) =>
  rows
    .innerJoin('product', 'product.id', 'lead.product_id')
    .innerJoin('issuer', 'issuer.id', 'lead.issuer_id')
    .innerJoin('affiliate', 'affiliate.id', 'lead.affiliate_id')
    .innerJoinLateral(sql<LeadStanding>`standing_of(lead.id)`.as<'standing'>(sql`standing`), (join) => join.onTrue())
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
      'standing.state',
      'standing.amount',
    ])

/** The leads that the viewer may see and the filters match, in the wanted order. */
export const filteredLeads = (tx: Tx, viewer: Reader, filters: LeadFilters) =>
  described(matchingLeads(tx, viewer, filters)).orderBy(orderOf(filters.ordering))

export async function getLead(db: Db, viewer: Reader, id: number): Promise<LeadDetail> {
  const row = await described(visibleLeads(db, viewer)).where('lead.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Lead')
  const events = await listEvents(db, viewer, [id])
  return {
    ...toLead(viewer, row, events.get(id)),
    rejection: await readRejection(db, viewer, id),
    rulings: await listRulings(db, viewer, id),
    is_rejectable: (await findRejectStep(db, row.product_id)) !== undefined,
  }
}

/** A handful: a step pays once, and is taken back and paid again at most a few times. */
export async function listLeadEntries(db: Db, viewer: Reader, id: number): Promise<CommissionEntry[]> {
  const lead = await visibleLeads(db, viewer).select('lead.id').where('lead.id', '=', id).executeTakeFirst()
  if (!lead) throw notFound('Lead')
  return (await allEntriesOfLead(db, id).execute()) as CommissionEntry[]
}

export const listLeads = (db: Db, viewer: Reader, filters: LeadFilters): Promise<LeadPage | Answer<LeadPage>> =>
  inSnapshot(db, async (tx) => {
    const { count, isCapped, ids } = await findPage(tx, viewer, filters)
    const rows = ids.length
      ? await described(visibleLeads(tx, viewer))
          .where('lead.tracking_id', '=', sql<string>`any(${ids}::uuid[])`)
          .orderBy(orderOf(filters.ordering))
          .execute()
      : []
    const found = rows.map(({ id }) => id)
    const events = await listEvents(tx, viewer, found, { inList: true })
    const pagination = paginationOf(count, filters)
    const data = { results: rows.map((row) => toLead(viewer, row, events.get(row.id))), pagination }
    return isCapped ? new Answer(data, { meta: { count_is_capped: true } }) : data
  })

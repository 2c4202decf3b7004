import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { CommissionEntry } from '#contract/commission-entries.ts'
import type { LeadDetail, LeadFilters, LeadPage, LeadState } from '#contract/leads.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { DB } from '#db/tables.ts'
import { AppError, notFound } from '../http/errors.ts'
import { Answer } from '../http/http.ts'
import { paginationOf } from '../http/lists.ts'
import { allEntriesOfLead } from '../ledger/claims.ts'
import { partiesOf } from '../parties.ts'
import { findRejectStep, listRulings, readRejection } from '../rulings/queries.ts'
import { inSnapshot } from '../snapshot.ts'
import { readLeadDays } from '../totals/read.ts'
import type { Reader } from '../viewer.ts'
import { hasText, matchingLeads, matchingLeadsLookedUp, visibleLeads } from './filters.ts'
import { daysHolding } from './page-days.ts'
import { type EventState, idsInState } from './states.ts'
import { listEvents, toLead } from './wire.ts'

/** Matches of a text or a state that are counted and shown, and leads at each end of an order other than time (D50, D51). */
const MATCHES_MAX = 10_000

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

/** A total order (D52): tracking ids begin with the time of the click, so their order is the order of time. */
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

/** The leads that the viewer may see and the filters match, in the wanted order. */
export const filteredLeads = (tx: Tx, viewer: Reader, filters: LeadFilters) =>
  described(matchingLeads(tx, viewer, filters)).orderBy(orderOf(filters.ordering))

export async function getLead(db: Db, viewer: Reader, id: number): Promise<LeadDetail> {
  const row = await described(visibleLeads(db, viewer)).where('lead.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Lead')
  const events = await listEvents(db, [id])
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

interface Page {
  count: number
  isCapped?: boolean
  /** Tracking ids in the wanted order; none beyond the last page. */
  ids: string[]
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
    const events = await listEvents(
      tx,
      rows.map(({ id }) => id),
    )
    const pagination = paginationOf(count, filters)
    const data = { results: rows.map((row) => toLead(viewer, row, events.get(row.id))), pagination }
    return isCapped ? new Answer(data, { meta: { count_is_capped: true } }) : data
  })

function findPage(tx: Tx, viewer: Reader, filters: LeadFilters): Promise<Page> {
  const { state } = filters
  if (state === 'click') return findMatches(tx, viewer, filters)
  if (state) return findInState(tx, viewer, filters, state)
  return hasText(filters) ? findMatches(tx, viewer, filters) : findByDays(tx, viewer, filters)
}

const offsetOf = ({ page, page_size }: LeadFilters): number => (page - 1) * page_size

const tooDeep = () =>
  new AppError(400, 'PAGE_TOO_DEEP', 'Acota la búsqueda: se muestran los primeros 10,000 resultados')

/** Exact at any size and quick at any page: the totals show which days hold it. */
async function findByDays(tx: Tx, viewer: Reader, filters: LeadFilters): Promise<Page> {
  const days = await readLeadDays(tx, partiesOf(viewer, filters), filters)
  const count = days.reduce((sum, day) => sum + day.count, 0)
  const offset = offsetOf(filters)
  if (offset >= count) return { count, ids: [] }
  const { ordering, page_size } = filters
  if (isByTime(ordering)) {
    const held = daysHolding(days, { offset, size: page_size, newestFirst: ordering.startsWith('-') })
    const ofDays = { ...filters, from: held.from, to: held.to }
    return { count, ids: await readIds(tx, viewer, ofDays, { ordering, limit: page_size, offset: held.offset }) }
  }
  if (offset + page_size <= MATCHES_MAX)
    return { count, ids: await readIds(tx, viewer, filters, { ordering, limit: page_size, offset }) }
  // The last pages are read from the other end of the order.
  const limit = Math.min(page_size, count - offset)
  const after = count - offset - limit
  if (after + limit > MATCHES_MAX) throw tooDeep()
  const turned = ordering.startsWith('-') ? ordering.slice(1) : `-${ordering}`
  return { count, ids: await readIds(tx, viewer, filters, { ordering: turned, limit, offset: after }) }
}

/** A text of few leads is searched once; a text of many is soon found in the wanted order. */
async function findMatches(
  tx: Tx,
  viewer: Reader,
  filters: LeadFilters,
  matching = matchingLeadsLookedUp,
): Promise<Page> {
  const offset = offsetOf(filters)
  const found = matching(tx, viewer, filters)
    .select(['lead.tracking_id', 'lead.external_id', 'lead.id'])
    .limit(MATCHES_MAX + 1)
  // Named `lead`, as orderOf() calls it.
  const { rows } = await sql<{ count: number; ids: string[] }>`
    with found as materialized (${found})
    select (select count(*) from found)::int as count, array(
      select tracking_id::text from found as lead order by ${orderOf(filters.ordering)} limit ${filters.page_size} offset ${offset}
    ) as ids`.execute(tx)
  const { count, ids } = rows[0] ?? { count: 0, ids: [] }
  if (count <= MATCHES_MAX) return { count, ids }
  if (offset >= MATCHES_MAX) throw tooDeep()
  const { ordering, page_size: limit } = filters
  const read = isByTime(ordering) ? readIdsByPartition : readIds
  return { count: MATCHES_MAX, isCapped: true, ids: await read(tx, viewer, filters, { ordering, limit, offset }) }
}

/**
 * Without a text and by time, without a look at the leads themselves. A state of few leads is joined; one of many is looked
 * up for the leads that the text matches, since joining would read all of them before the first is found.
 */
async function findInState(tx: Tx, viewer: Reader, filters: LeadFilters, state: EventState): Promise<Page> {
  const ofState = idsInState(state, partiesOf(viewer, filters), filters)
  const counted = await sql<{ count: number }>`
    select count(*) from (select from ${ofState} as lead limit ${MATCHES_MAX + 1}) as found`.execute(tx)
  const count = counted.rows[0]?.count ?? 0
  const { ordering, page_size: limit } = filters
  const offset = offsetOf(filters)
  const isFew = count <= MATCHES_MAX
  if (hasText(filters) || (isFew && !isByTime(ordering)))
    return findMatches(tx, viewer, filters, isFew ? matchingLeads : matchingLeadsLookedUp)
  if (!isFew && offset >= MATCHES_MAX) throw tooDeep()
  const ids = isByTime(ordering)
    ? await readIdsInState(tx, ofState, { ordering, limit, offset })
    : await readIds(tx, viewer, filters, { ordering, limit, offset })
  return isFew ? { count, ids } : { count: MATCHES_MAX, isCapped: true, ids }
}

async function readIdsInState(tx: Tx, ofState: RawBuilder<unknown>, { ordering, limit, offset }: Slice) {
  const { rows } = await sql<{ tracking_id: string }>`
    select tracking_id from ${ofState} as lead order by ${orderOf(ordering)} limit ${limit} offset ${offset}`.execute(
    tx,
  )
  return rows.map(({ tracking_id }) => tracking_id)
}

interface Slice {
  ordering: string
  limit: number
  offset: number
}

async function readIds(tx: Tx, viewer: Reader, filters: LeadFilters, slice: Slice, within = sql<SqlBool>`true`) {
  const { ordering, limit, offset } = slice
  const rows = await matchingLeadsLookedUp(tx, viewer, filters)
    .select('tracking_id')
    .where(within)
    .orderBy(orderOf(ordering))
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ tracking_id }) => tracking_id)
}

/**
 * Of many matches the first by time, one partition after the other: of all at once PostgreSQL reads each in the order of
 * time, also the newest millions in which the text is not found.
 */
async function readIdsByPartition(tx: Tx, viewer: Reader, filters: LeadFilters, { ordering, limit, offset }: Slice) {
  const order = ordering.startsWith('-') ? sql`desc` : sql`asc`
  const { rows: partitions } = await sql<{ first_id: string; end_id: string | null }>`
    select first_id, end_id from lead_partition order by first_id ${order}`.execute(tx)
  const ids: string[] = []
  for (const { first_id, end_id } of partitions) {
    const wanted = offset + limit - ids.length
    if (!wanted) break
    const within = sql<SqlBool>`tracking_id >= ${first_id}${end_id === null ? sql`` : sql` and tracking_id < ${end_id}`}`
    ids.push(...(await readIds(tx, viewer, filters, { ordering, limit: wanted, offset: 0 }, within)))
  }
  return ids.slice(offset)
}

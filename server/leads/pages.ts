import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { LeadFilters } from '#contract/leads.ts'
import type { Tx } from '#db/connect.ts'
import { AppError } from '../http/errors.ts'
import { partiesOf } from '../parties.ts'
import { readLeadDays } from '../totals/read.ts'
import type { Reader } from '../viewer.ts'
import { hasText, matchingLeads, matchingLeadsLookedUp } from './filters.ts'
import { daysHolding } from './page-days.ts'
import { type EventState, type IdRange, idsInState } from './states.ts'

/** Matches of a text or a state that are counted and shown, and leads at each end of an order other than time (D50, D51). */
const MATCHES_MAX = 10_000

const ANYWHERE = sql<SqlBool>`true`

const directionOf = (ordering: string) => (ordering.startsWith('-') ? sql`desc` : sql`asc`)

/** A total order (D52): tracking ids begin with the time of the click, so their order is the order of time. */
export function orderOf(ordering: string) {
  const direction = directionOf(ordering)
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

interface Page {
  count: number
  isCapped?: boolean
  /** Tracking ids in the wanted order; none beyond the last page. */
  ids: string[]
}

export function findPage(tx: Tx, viewer: Reader, filters: LeadFilters): Promise<Page> {
  const { state } = filters
  if (state === 'click') return findMatches(tx, viewer, filters)
  if (state) return findInState(tx, viewer, filters, state)
  return hasText(filters) ? findMatches(tx, viewer, filters) : findByDays(tx, viewer, filters)
}

const tooDeep = () =>
  new AppError(400, 'PAGE_TOO_DEEP', 'Acota la búsqueda: se muestran los primeros 10,000 resultados')

/** Exact at any size and quick at any page: the totals show which days hold it. */
async function findByDays(tx: Tx, viewer: Reader, filters: LeadFilters): Promise<Page> {
  const days = await readLeadDays(tx, partiesOf(viewer, filters), filters)
  const count = days.reduce((sum, day) => sum + day.count, 0)
  const slice = sliceOf(filters)
  const { ordering, limit, offset } = slice
  if (offset >= count) return { count, ids: [] }
  if (isByTime(ordering)) {
    const held = daysHolding(days, { offset, size: limit, newestFirst: ordering.startsWith('-') })
    const ofDays = { ...filters, from: held.from, to: held.to }
    return { count, ids: await readIds(tx, viewer, ofDays, { ...slice, offset: held.offset }) }
  }
  if (offset + limit <= MATCHES_MAX) return { count, ids: await readIds(tx, viewer, filters, slice) }
  // The last pages are read from the other end of the order.
  const size = Math.min(limit, count - offset)
  const after = count - offset - size
  if (after + size > MATCHES_MAX) throw tooDeep()
  const turned = ordering.startsWith('-') ? ordering.slice(1) : `-${ordering}`
  return { count, ids: await readIds(tx, viewer, filters, { ordering: turned, limit: size, offset: after }) }
}

/** Of a text, or of a state in another order than time; what is matched is read once, as far as it is counted. */
async function findMatches(tx: Tx, viewer: Reader, filters: LeadFilters): Promise<Page> {
  const found = await readMatches(tx, viewer, filters)
  const isCapped = found.length > MATCHES_MAX
  const slice = isCapped ? cappedSliceOf(filters) : sliceOf(filters)
  const count = Math.min(found.length, MATCHES_MAX)
  if (isByTime(slice.ordering)) return { count, isCapped, ids: found.slice(slice.offset, slice.offset + slice.limit) }
  const within = isCapped
    ? await readExtent(tx, viewer, filters)
    : sql<SqlBool>`lead.tracking_id = any(${found}::uuid[])`
  return { count, isCapped, ids: await readIds(tx, viewer, filters, { ...slice, within }) }
}

/**
 * The first MATCHES_MAX + 1 by time, one partition after the other: of all at once PostgreSQL reads each in the order of
 * time, also the newest millions in which the text is not found, or all of a state before the first of them.
 */
async function readMatches(tx: Tx, viewer: Reader, filters: LeadFilters): Promise<string[]> {
  const direction = isByTime(filters.ordering) ? directionOf(filters.ordering) : sql`desc`
  const { rows: partitions } = await sql<IdRange>`
    select first_id, end_id from lead_partition order by first_id ${direction}`.execute(tx)
  const ids: string[] = []
  for (const range of partitions) {
    const found = matchingLeads(tx, viewer, filters, range)
      .select('lead.tracking_id')
      .orderBy(sql`lead.tracking_id ${direction}`)
      .limit(MATCHES_MAX + 1 - ids.length)
    const { rows } = await sql<{ ids: string[] | null }>`
      select json_agg(tracking_id) as ids from (${found}) as found`.execute(tx)
    ids.push(...(rows[0]?.ids ?? []))
    if (ids.length > MATCHES_MAX) break
  }
  return ids
}

/** Without a text and by time without a look at the leads themselves. */
async function findInState(tx: Tx, viewer: Reader, filters: LeadFilters, state: EventState): Promise<Page> {
  if (hasText(filters)) return findMatches(tx, viewer, filters)
  const parties = partiesOf(viewer, filters)
  const all = idsInState(state, parties, filters)
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from (select from ${all} as lead limit ${MATCHES_MAX + 1}) as found`.execute(tx)
  const count = counted.rows[0]?.count ?? 0
  const { ordering } = filters
  if (count <= MATCHES_MAX)
    return isByTime(ordering)
      ? { count, ids: await readIdsInState(tx, all, sliceOf(filters)) }
      : findMatches(tx, viewer, filters)
  const slice = cappedSliceOf(filters)
  const first = { direction: directionOf(ordering), limit: slice.offset + slice.limit }
  const ids = isByTime(ordering)
    ? await readIdsInState(tx, idsInState(state, parties, filters, { first }), slice)
    : await readIds(tx, viewer, filters, { ...slice, within: await readExtent(tx, viewer, filters) })
  return { count: MATCHES_MAX, isCapped: true, ids }
}

/** From the first lead of a state to the last: none newer than a month may be paid yet. */
async function readExtent(tx: Tx, viewer: Reader, filters: LeadFilters): Promise<RawBuilder<SqlBool>> {
  const { state } = filters
  if (!state || state === 'click') return ANYWHERE
  const end = (direction: RawBuilder<unknown>) => sql`(
    select tracking_id from ${idsInState(state, partiesOf(viewer, filters), filters, { first: { direction, limit: 1 } })} as lead
    order by tracking_id ${direction} limit 1)`
  const { rows } = await sql<{ first: string | null; last: string | null }>`
    select ${end(sql`asc`)} as first, ${end(sql`desc`)} as last`.execute(tx)
  return sql<SqlBool>`lead.tracking_id between ${rows[0]?.first}::uuid and ${rows[0]?.last}::uuid`
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
  within?: RawBuilder<SqlBool>
}

const sliceOf = ({ ordering, page, page_size }: LeadFilters): Slice => ({
  ordering,
  limit: page_size,
  offset: (page - 1) * page_size,
})

/** Of what is counted and shown up to MATCHES_MAX. */
function cappedSliceOf(filters: LeadFilters): Slice {
  const { offset, limit, ...slice } = sliceOf(filters)
  if (offset >= MATCHES_MAX) throw tooDeep()
  return { ...slice, offset, limit: Math.min(limit, MATCHES_MAX - offset) }
}

async function readIds(tx: Tx, viewer: Reader, filters: LeadFilters, slice: Slice) {
  const { ordering, limit, offset, within = ANYWHERE } = slice
  const rows = await matchingLeadsLookedUp(tx, viewer, filters)
    .select('tracking_id')
    .where(within)
    .orderBy(orderOf(ordering))
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ tracking_id }) => tracking_id)
}

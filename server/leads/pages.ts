import { sql } from 'kysely'
import type { LeadFilters } from '#contract/leads.ts'
import { TIME_ZONE } from '#contract/time.ts'
import type { Tx } from '#db/connect.ts'
import type { Viewer } from '../viewer.ts'
import { hasText, isTracking, isVisible, matches, partiesOf } from './filters.ts'
import {
  COUNTED,
  countFound,
  countOrigins,
  estimate,
  openSearch,
  type Rows,
  readCounted,
  readFiledId,
  readFound,
} from './search.ts'
import { isNarrow, orderOf, orderOfPlaced, ownerOf, placed } from './search-rows.ts'
import { type Day, readDays, type Span, spanOf, totalOf } from './totals.ts'

interface Page {
  count: number
  isEstimate: boolean
  /** Of the leads on this page, in no order; none beyond the last page. */
  ids: number[]
}

export async function findPage(tx: Tx, viewer: Viewer, filters: LeadFilters): Promise<Page> {
  if (filters.tracking_id) return pageOfTracking(tx, viewer, filters, filters.tracking_id)
  if (hasText(filters) || filters.ordering.endsWith('external_id')) return pageOfSearch(tx, viewer, filters)
  return pageOfDays(tx, viewer, filters, await readDays(tx, partiesOf(viewer, filters)))
}

const offsetOf = ({ page, page_size }: LeadFilters): number => (page - 1) * page_size

/** Exact at any size, and quick however far the page is: both come from the kept totals. */
async function pageOfDays(tx: Tx, viewer: Viewer, filters: LeadFilters, days: Day[]): Promise<Page> {
  const [count, offset] = [totalOf(days), offsetOf(filters)]
  if (offset >= count) return { count, isEstimate: false, ids: [] }
  const filedId = await readFiledId(tx)
  const origins = partiesOf(viewer, filters).length > 1 ? await countOrigins(tx, viewer, filters) : 0
  const search = { viewer, filters, filedId, leads: filedId, owned: count, ofOrigins: count, origins }
  if (!filters.ordering.endsWith('created_at'))
    return { count, isEstimate: false, ids: await readFound(tx, search, count, fromNearerEnd(filters, count)) }
  const size = Math.min(filters.page_size, count - offset)
  const span = spanOf(days, { offset, size, newestFirst: filters.ordering.startsWith('-') })
  const rows = { ...span, ordering: filters.ordering, size }
  return { count, isEstimate: false, ids: await readFound(tx, { ...search, span: within(span) }, count, rows) }
}

const within = ({ from, until }: Span) =>
  sql<boolean>`(created_at >= ${midnight(from)} and created_at < ${midnight(until)})`

const midnight = (day: string) => sql<string>`${day}::date::timestamp at time zone ${sql.lit(TIME_ZONE)}`

/** The same rows, counted from the last one where that is nearer. */
function fromNearerEnd(filters: LeadFilters, count: number): Rows {
  const [offset, { ordering }] = [offsetOf(filters), filters]
  const size = Math.min(filters.page_size, count - offset)
  if (offset <= count / 2) return { ordering, offset, size }
  return {
    ordering: ordering.startsWith('-') ? ordering.slice(1) : `-${ordering}`,
    offset: count - offset - size,
    size,
  }
}

async function pageOfSearch(tx: Tx, viewer: Viewer, filters: LeadFilters): Promise<Page> {
  const opened = await openSearch(tx, viewer, filters)
  const { search } = opened
  const isNarrowed = search.values?.length && isNarrow(search, ownerOf(viewer, filters))
  const page = isNarrowed ? await readCounted(tx, search, asAsked(filters)) : undefined
  if (page && page.count <= COUNTED) return { ...page, isEstimate: false }
  const count = await countFound(tx, opened, page?.count ?? 0)
  const isEstimate = Boolean(filters.external_id) && count > COUNTED
  if (!isEstimate && offsetOf(filters) >= count) return { count, isEstimate, ids: [] }
  const rows = isEstimate ? asAsked(filters) : fromNearerEnd(filters, count)
  return { count, isEstimate, ids: await readFound(tx, search, count, rows) }
}

const asAsked = (filters: LeadFilters): Rows => ({
  ordering: filters.ordering,
  offset: offsetOf(filters),
  size: filters.page_size,
})

/** Nearly always a few leads, or one: found first, whatever else is asked for. OFFSET 0 tells PostgreSQL so. */
async function pageOfTracking(tx: Tx, viewer: Viewer, filters: LeadFilters, text: string): Promise<Page> {
  const found = sql`(select * from lead where ${isTracking(text)} offset 0) as lead
    where ${isVisible(viewer)} and ${matches(filters)}`
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select from ${found} limit ${COUNTED + 1}) as counted`.execute(tx)
  const counted = rows[0]?.count ?? 0
  if (counted > COUNTED) {
    const count = Math.max(counted, await estimate(tx, viewer, filters))
    return { count, isEstimate: true, ids: await readMany(tx, viewer, filters) }
  }
  if (offsetOf(filters) >= counted) return { count: counted, isEstimate: false, ids: [] }
  const { ordering, size, offset } = fromNearerEnd(filters, counted)
  const page = await sql<{ id: number }>`
    select id from ${found} order by ${orderOf(ordering)} limit ${size} offset ${offset}`.execute(tx)
  return { count: counted, isEstimate: false, ids: page.rows.map(({ id }) => id) }
}

/** So many that a walk in the wanted order soon meets enough of them. OFFSET 0 tells PostgreSQL to take it. */
async function readMany(tx: Tx, viewer: Viewer, filters: LeadFilters): Promise<number[]> {
  const { ordering, size, offset } = asAsked(filters)
  const all = placed({ viewer, filters, filedId: await readFiledId(tx) })
  const leads = ordering.endsWith('created_at')
    ? sql`(select * from (${all}) as placed order by ${orderOf(ordering)} offset 0) as placed
        cross join lateral (select * from lead where lead.id = placed.id offset 0) as lead`
    : sql`lead`
  const page = await sql<{ id: number }>`
    select lead.id from ${leads} where ${isVisible(viewer)} and ${matches(filters)}
    order by ${orderOfPlaced(ordering)} limit ${size} offset ${offset}`.execute(tx)
  return page.rows.map(({ id }) => id)
}

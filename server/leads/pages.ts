import { sql } from 'kysely'
import type { LeadFilters } from '#contract/leads.ts'
import type { Tx } from '#db/connect.ts'
import { partiesOf } from '../parties.ts'
import type { Viewer } from '../viewer.ts'
import {
  all,
  type Condition,
  digitsOf,
  hasText,
  isMintedThen,
  isOf,
  isTracking,
  isVisible,
  matches,
} from './filters.ts'
import {
  COUNTED,
  countFound,
  countOrigins,
  countUpTo,
  estimate,
  openSearch,
  type Rows,
  readFiledId,
  readFound,
  readRows,
} from './search.ts'
import { orderOf, placed } from './search-rows.ts'
import { type Day, isBefore, isSince, readDays, spanOf, totalOf } from './totals.ts'

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
  return {
    count,
    isEstimate: false,
    ids: await readFound(tx, { ...search, span: all([isSince(span.from), isBefore(span.until)]) }, count, rows),
  }
}

/**
 * The same rows, counted from the last one where that is nearer. Of an estimated count the pages meet in the middle with
 * some rows too few or twice, but the last one holds the last rows and is as quick as the first.
 */
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
  const count = await countFound(tx, opened)
  const isEstimate = Boolean(filters.external_id) && count > COUNTED
  if (offsetOf(filters) >= count) return { count, isEstimate, ids: [] }
  return { count, isEstimate, ids: await readFound(tx, opened.search, count, fromNearerEnd(filters, count)) }
}

/** Nearly always a few leads, or one. */
async function pageOfTracking(tx: Tx, viewer: Viewer, filters: LeadFilters, text: string): Promise<Page> {
  const found = await tracked(tx, viewer, filters, text)
  const counted = await countUpTo(tx, COUNTED, found)
  const isEstimate = counted > COUNTED
  const guess = async () => estimate(tx, { viewer, filters, leads: totalOf(await readDays(tx, [])) })
  const count = isEstimate ? Math.max(counted, await guess()) : counted
  if (offsetOf(filters) >= count) return { count, isEstimate, ids: [] }
  const rows = fromNearerEnd(filters, count)
  if (isEstimate) return { count, isEstimate, ids: await readMany(tx, viewer, filters, text, rows) }
  const { ordering, size, offset } = rows
  const page = await sql<{ id: number }>`
    select lead.id from ${found} order by ${orderOf(ordering, 'lead.')} limit ${size} offset ${offset}`.execute(tx)
  return { count, isEstimate, ids: page.rows.map(({ id }) => id) }
}

/**
 * Found by their ids first, whatever else is asked for; where these may be those of millions and the parties have few
 * leads, among the parties' own. OFFSET 0 tells PostgreSQL so.
 */
async function tracked(tx: Tx, viewer: Viewer, filters: LeadFilters, text: string) {
  const isWanted = all([isVisible(viewer), matches(filters)])
  const owners = partiesOf(viewer, filters)
  const mayBeMany = digitsOf(text).length < TELLING_DIGITS
  if (!mayBeMany || !owners.length || totalOf(await readDays(tx, owners)) > COUNTED)
    return sql`(select * from lead where ${isTracking(text)} offset 0) as lead where ${isWanted}`
  const owned = placed({ viewer, filters, filedId: await readFiledId(tx) })
  return sql`(${owned}) as owned
    cross join lateral (select * from lead where lead.id = owned.id and ${isWanted} offset 0) as lead`
}

/** So many of a tracking id are the same for no more than 4.7 hours. */
const TELLING_DIGITS = 6

/**
 * So many that a walk in the wanted order soon meets enough of them, in that of time where it begins among them. OFFSET 0
 * tells PostgreSQL to take it.
 */
async function readMany(tx: Tx, viewer: Viewer, filters: LeadFilters, text: string, rows: Rows): Promise<number[]> {
  const isWanted = all([isVisible(viewer), matches(filters)])
  if (!rows.ordering.endsWith('created_at')) {
    const page = await sql<{ id: number }>`
      select id from lead where ${isWanted}
      order by ${orderOf(rows.ordering)} limit ${rows.size} offset ${rows.offset}`.execute(tx)
    return page.rows.map(({ id }) => id)
  }
  const filedId = await readFiledId(tx)
  const readWithin = (span: Condition) => {
    const filed = sql`lead_search as filed
      cross join lateral (select from lead where lead.id = filed.id and ${isWanted} offset 0) as lead
      where ${all([...isOf(partiesOf(viewer, filters), 'filed.'), span])}`
    return readRows(tx, { viewer, filters, filedId, span }, filed, rows)
  }
  const ids = await readWithin(isMintedThen(text))
  return ids.length === rows.size ? ids : readWithin(sql`true`)
}

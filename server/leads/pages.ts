import { type SelectQueryBuilder, sql } from 'kysely'
import type { LeadFilters } from '#contract/leads.ts'
import { dateInMexico, TIME_ZONE } from '#contract/time.ts'
import type { Tx } from '#db/connect.ts'
import type { Viewer } from '../viewer.ts'
import { matches, parties, scopeOf, textFilters, visibleLeads } from './filters.ts'
import { type Day, readDays, type Span, spanOf, totalOf } from './totals.ts'

/** Texts are counted up to here, then the count is an estimate (D51). */
const COUNTED = 100_000

interface Page {
  count: number
  isEstimate: boolean
  /** Of the leads on this page, in no order; none beyond the last page. */
  ids: number[]
}

export async function findPage(tx: Tx, viewer: Viewer, filters: LeadFilters): Promise<Page> {
  const days = await readDays(tx, [...scopeOf(viewer), ...parties(filters)])
  return textFilters(filters).length ? pageOfText(tx, viewer, filters, days) : pageOfDays(tx, viewer, filters, days)
}

const offsetOf = ({ page, page_size }: LeadFilters): number => (page - 1) * page_size

/** Exact at any size, and quick however far the page is: both come from the kept totals. */
async function pageOfDays(tx: Tx, viewer: Viewer, filters: LeadFilters, days: Day[]): Promise<Page> {
  const [count, offset] = [totalOf(days), offsetOf(filters)]
  if (offset >= count) return { count, isEstimate: false, ids: [] }
  const wanted = { offset, size: filters.page_size, newestFirst: filters.ordering.startsWith('-') }
  if (filters.ordering.endsWith('created_at'))
    return { count, isEstimate: false, ids: await readIds(tx, viewer, filters, spanOf(days, wanted)) }
  return { count, isEstimate: false, ids: await readIds(tx, viewer, ...fromNearerEnd(filters, count)) }
}

/** The same rows, counted from the last one where that is nearer. */
function fromNearerEnd(filters: LeadFilters, count: number): [LeadFilters, Span & { size: number }] {
  const offset = offsetOf(filters)
  const size = Math.min(filters.page_size, count - offset)
  if (offset <= count / 2) return [filters, { offset, size }]
  const ordering = filters.ordering.startsWith('-') ? filters.ordering.slice(1) : `-${filters.ordering}`
  return [
    { ...filters, ordering },
    { offset: count - offset - size, size },
  ]
}

/** One walk through the leads counts the matches and finds the page, unless it lies beyond what was counted. */
async function pageOfText(tx: Tx, viewer: Viewer, filters: LeadFilters, days: Day[]): Promise<Page> {
  const { found, since, ids } = await countMatches(tx, viewer, filters)
  if (found <= COUNTED) return { count: found, isEstimate: false, ids }
  // As many in the rest of the time as in the newest part of it.
  const firstDay = dateInMexico(new Date(since))
  const share = totalOf(days) / totalOf(days.filter(({ day }) => day >= firstDay))
  const isCounted = filters.ordering === '-created_at' && offsetOf(filters) + filters.page_size <= COUNTED
  return {
    count: Math.round(found * share),
    isEstimate: true,
    ids: isCounted ? ids : await readIds(tx, viewer, filters, { offset: offsetOf(filters) }),
  }
}

function countMatches(tx: Tx, viewer: Viewer, filters: LeadFilters) {
  const newest = visibleLeads(tx, viewer)
    .where(matches(filters))
    .select(['id', 'created_at', 'external_id', 'tracking_id'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(COUNTED + 1)
  return tx
    .with('newest', () => newest)
    .selectFrom('newest')
    .select((eb) => {
      const page = ordered(eb.selectFrom('newest').select('id'), filters.ordering, 'newest')
      const ids = page.limit(filters.page_size).offset(offsetOf(filters))
      return [
        eb.fn.countAll<number>().as('found'),
        eb.fn.min('created_at').as('since'),
        sql<number[]>`array(${ids})`.as('ids'),
      ]
    })
    .executeTakeFirstOrThrow()
}

/** From an index alone where the order is one of time. */
async function readIds(
  tx: Tx,
  viewer: Viewer,
  filters: LeadFilters,
  span: Span & { size?: number },
): Promise<number[]> {
  let rows = visibleLeads(tx, viewer).where(matches(filters)).select('lead.id')
  if (span.from) rows = rows.where('lead.created_at', '>=', midnight(span.from))
  if (span.until) rows = rows.where('lead.created_at', '<', midnight(span.until))
  const limit = span.size ?? filters.page_size
  const page = await ordered(rows, filters.ordering, 'lead').limit(limit).offset(span.offset).execute()
  return page.map((row) => row.id)
}

const midnight = (day: string) => sql<string>`${day}::date::timestamp at time zone ${sql.lit(TIME_ZONE)}`

/** A total order: what ties is ordered by id, in the same direction (D52). */
export function ordered<D, T extends keyof D, O>(
  rows: SelectQueryBuilder<D, T, O>,
  ordering: string,
  table: 'lead' | 'newest',
): SelectQueryBuilder<D, T, O> {
  const direction = ordering.startsWith('-') ? 'desc' : 'asc'
  const column = sql.ref(`${table}.${ordering.replace('-', '')}`)
  return rows.orderBy(column, direction).orderBy(sql.ref(`${table}.id`), direction)
}

import { type RawBuilder, sql } from 'kysely'
import type { LeadFilters } from '#contract/leads.ts'
import type { Tx } from '#db/connect.ts'
import type { Viewer } from '../viewer.ts'
import { all, type Condition, contains, hasUtm, isOrigin, isVisible, matches, parties, scopeOf } from './filters.ts'

/** Texts are counted up to here, then the count is an estimate (D51). */
export const COUNTED = 100_000
/** More external ids than these are looked for in each lead instead. */
const MOST_VALUES = 10_000
/** How many parts of all leads an estimate looks at, and how many leads of each. */
const SAMPLES = 100

export interface Rows {
  ordering: string
  offset: number
  size: number
}

/** How many leads are filed: all, those of `ownerOf`, and those of the wanted parties with the wanted texts of campaigns. */
interface Sizes {
  leads: number
  owned: number
  ofOrigins: number
}

export interface Search extends Sizes {
  viewer: Viewer
  filters: LeadFilters
  /** Up to which lead they are filed; the others are looked through one by one. */
  filedId: number
  /** The external ids with the text, if one is asked for and they are few. */
  values: string[] | undefined
}

export interface Found {
  search: Search
  count: number
  isExact: boolean
}

export async function openSearch(tx: Tx, viewer: Viewer, filters: LeadFilters): Promise<Found> {
  const { filed_id: filedId } = await tx.selectFrom('lead_filing').select('filed_id').executeTakeFirstOrThrow()
  const isOwned = ownerOf(viewer, filters) ?? sql`true`
  const { rows } = await sql<Sizes & { recent: number }>`
    select coalesce(sum(count), 0)::float as leads,
      coalesce(sum(count) filter (where ${isOwned}), 0)::float as owned,
      coalesce(sum(count) filter (where ${isOrigin(viewer, filters)}), 0)::float as "ofOrigins",
      (select count(*) from ${recent({ viewer, filters, filedId })}) as recent
    from lead_origin`.execute(tx)
  const { recent: others, ...sizes } = rows[0] as (typeof rows)[0] & object
  const values = filters.external_id ? await findValues(tx, filters.external_id) : undefined
  const search = { viewer, filters, values, filedId, ...sizes }
  const count = (await countFiled(tx, search)) + others
  return { search, count, isExact: !filters.external_id || count <= COUNTED }
}

/** Who has an order by external id of his own. */
function ownerOf(viewer: Viewer, filters: LeadFilters): Condition | undefined {
  const owners = new Map([...parties(filters), ...scopeOf(viewer)])
  for (const party of ['affiliate_id', 'issuer_id'] as const)
    if (owners.has(party)) return sql`${sql.ref(party)} = ${owners.get(party)}`
  return undefined
}

/** OFFSET 0 is how PostgreSQL is told to read these first: it cannot know how few they are. */
const recent = ({ viewer, filters, filedId }: Pick<Search, 'viewer' | 'filters' | 'filedId'>): RawBuilder<unknown> =>
  sql`(select * from lead where id > ${filedId} offset 0) as lead where ${isVisible(viewer)} and ${matches(filters)}`

/** Undefined when they are many. */
async function findValues(tx: Tx, text: string): Promise<string[] | undefined> {
  // In a pattern, unlike in strpos(), the index finds it.
  const pattern = sql`'%' || regexp_replace(fold(${text}::text), '([\\\\%_])', '\\\\\\1', 'g') || '%'`
  const { rows } = await sql<{ external_id: string }>`
    select external_id from lead_search where is_first and fold(external_id) like ${pattern}
    limit ${MOST_VALUES + 1}`.execute(tx)
  return rows.length > MOST_VALUES ? undefined : rows.map(({ external_id }) => external_id)
}

/** An estimate beyond `COUNTED`. */
async function countFiled(tx: Tx, search: Search): Promise<number> {
  const { viewer, filters, values, ofOrigins } = search
  if (!filters.external_id || !ofOrigins) return ofOrigins
  if (values?.length === 0) return 0
  const guess = values ? 0 : await estimate(tx, viewer, filters)
  // So far beyond what is counted that the guess cannot be wrong.
  if (guess > 2 * COUNTED) return guess
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select from ${gathered(search)} limit ${COUNTED + 1}) as counted`.execute(tx)
  const count = rows[0]?.count ?? 0
  return count <= COUNTED ? count : Math.max(count, guess || (await estimate(tx, viewer, filters)))
}

/** From leads that lie evenly apart: as many of all as of these. */
export async function estimate(tx: Tx, viewer: Viewer, filters: LeadFilters): Promise<number> {
  const { rows } = await sql<{ count: number | null }>`
    select max(last - first + 1) * avg((${all([isVisible(viewer), matches(filters)])})::int)::float as count
    from (select min(id) as first, max(id) as last from lead) as ends
    cross join generate_series(0, ${SAMPLES - 1}::int) as part
    cross join lateral (
      select * from lead where id >= first + (last - first) * part / ${SAMPLES}::int order by id limit ${SAMPLES}
    ) as lead`.execute(tx)
  return Math.round(rows[0]?.count ?? 0)
}

/** A total order: what ties is ordered by id, in the same direction (D52). */
export function orderOf(ordering: string): RawBuilder<unknown> {
  const direction = ordering.startsWith('-') ? sql`desc` : sql`asc`
  return sql`${sql.ref(ordering.replace('-', ''))} ${direction}, id ${direction}`
}

/** The page's leads, in no order. */
export async function readFound(tx: Tx, { search, count }: Found, rows: Rows): Promise<number[]> {
  const { ordering, offset, size } = rows
  const [column, order] = [ordering.replace('-', ''), orderOf(ordering)]
  const key = sql.join([...new Set(['id', column])].map((name) => sql.ref(name)))
  const isWalked = isWalk(search, column, offset + size, count)
  const filed = isWalked ? walked(search, column, order) : gatheredWith(search, column)
  const page = await sql<{ id: number }>`
    select id from (
      (select ${key} from ${filed} order by ${order})
      union all
      (select ${key} from ${recent(search)} order by ${order})
    ) as found order by ${order} limit ${size} offset ${offset}`.execute(tx)
  return page.rows.map(({ id }) => id)
}

/** Each of them is found by an index, and sorted then; there are few. */
function gathered(search: Search): RawBuilder<unknown> {
  const { filters, values } = search
  if (values) return sql`lead_search where external_id = any(${values}) and ${isOfOrigin(search)}`
  const texts = filters.external_id ? [contains(sql`fold(external_id)`, filters.external_id)] : []
  const found = sql<boolean>`origin_id = any(array(${origins(search)}))`
  return sql`lead_search where ${all([found, ...texts])}`
}

/** The tracking id stands with the lead alone. */
const gatheredWith = (search: Search, column: string): RawBuilder<unknown> =>
  column === 'tracking_id' ? sql`(select id from ${gathered(search)}) as filed join lead using (id)` : gathered(search)

/** All leads in order, each looked at until enough have been found. So OFFSET 0 tells here. */
function walked(search: Search, column: string, order: RawBuilder<unknown>): RawBuilder<unknown> {
  const { viewer, filters, values, filedId } = search
  const owner = column === 'external_id' ? ownerOf(viewer, filters) : undefined
  const text = filters.external_id && contains(sql`fold(external_id)`, filters.external_id)
  const isOne = values ? sql<boolean>`external_id = any(${values})` : text
  const wanted = all([...(isOne ? [isOne] : []), isOfOrigin(search, owner)])
  if (column === 'created_at' || column === 'external_id')
    return sql`(select * from lead_search where ${owner ?? sql`true`} order by ${order} offset 0) as filed where ${wanted}`
  return sql`
    (select id, created_at, tracking_id from lead where id <= ${filedId} order by ${order} offset 0) as placed
    cross join lateral (
      select origin_id, external_id from lead_search
      where (lead_search.created_at, lead_search.id) = (placed.created_at, placed.id) offset 0
    ) as filed where ${wanted}`
}

const origins = ({ viewer, filters }: Search) => sql`select id from lead_origin where ${isOrigin(viewer, filters)}`

/** "is true" keeps it a look into a table of hashes; as a join it would be planned for ten times too few leads. */
function isOfOrigin(search: Search, owner?: Condition): Condition {
  const { viewer, filters } = search
  const isAll = !hasUtm(filters) && scopeOf(viewer).length + parties(filters).length <= (owner ? 1 : 0)
  return isAll ? sql`true` : sql`(origin_id in (${origins(search)})) is true`
}

/** Whether fewer leads are looked at on the way to the page than there are to gather; a row costs as much as four entries. */
function isWalk(
  { filters, values, leads, owned, ofOrigins }: Search,
  column: string,
  end: number,
  count: number,
): boolean {
  const HEAP = 4
  const isEntry = {
    gathered: values ? column !== 'tracking_id' : !filters.external_id && ['created_at', 'id'].includes(column),
    walked: column === 'external_id' ? true : column === 'created_at' && !filters.external_id,
  }
  const toGather = (values ? count : ofOrigins) * (isEntry.gathered ? 1 : HEAP)
  const toWalk = (end * (column === 'external_id' ? owned : leads)) / Math.max(count, 1)
  return toWalk * (isEntry.walked ? 1 : HEAP) < toGather
}

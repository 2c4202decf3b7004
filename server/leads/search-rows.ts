import { type RawBuilder, sql } from 'kysely'
import type { LeadFilters } from '#contract/leads.ts'
import { partiesOf } from '../parties.ts'
import type { Viewer } from '../viewer.ts'
import {
  all,
  type Condition,
  contains,
  hasUtm,
  isOf,
  isOfIssuers,
  isOrigin,
  isVisible,
  matches,
  ownerOf,
} from './filters.ts'

type Sql = RawBuilder<unknown>

/** How much more of the time than a page should take is looked through for it, where moments are in the index. */
const SPARE = 3
/** What a row, an entry on a walk and the way to the first of an index cost beside an entry that is gathered; measured. */
const HEAP = 4
const WALKED = 3
const DESCENT = 30
/** Looking for more origins one by one is longer than reading past the leads of others. */
export const MOST_ORIGINS = 2_000

/** How many leads are filed: all, those of `ownerOf`, and those of the wanted parties with the wanted texts of campaigns. */
export interface Sizes {
  leads: number
  owned: number
  ofOrigins: number
  /** On how many ways the last came; 0 where nobody has counted them. */
  origins: number
}

/** External ids: those of which it is kept how many leads they have, and the others. */
export interface Values {
  all: string[]
  common: string[]
  rare: string[]
}

export interface Search extends Sizes {
  viewer: Viewer
  filters: LeadFilters
  /** Up to which lead they are filed; the others are looked through one by one. */
  filedId: number
  /** On which ways the wanted ones came, as PostgreSQL writes an array; null if they are many, or all that their owner has. */
  originIds?: string | null
  /** Of which products, or with which texts of campaigns, in the same form: see `keptBy`. */
  keptIds?: string | null
  /** The external ids with the text, if one is asked for; null if they are many. */
  values?: Values | null
  /** When all that are wanted came. */
  span?: Condition
}

type Wanted = Pick<Search, 'viewer' | 'filters' | 'originIds'>

/** A total order: what ties is ordered by id, in the same direction (D52). With `table` also among columns of others. */
export function orderOf(ordering: string, table: '' | 'lead.' | 'placed.' = ''): Sql {
  const direction = ordering.startsWith('-') ? sql`desc` : sql`asc`
  const [column, id] = [ordering.replace('-', ''), 'id'].map((name) => sql.ref(table + name))
  return sql`${column} ${direction}, ${id} ${direction}`
}

/** That of leads which were joined to `placed`: in the order of time these come by an index, in others the leads themselves. */
export const orderOfPlaced = (ordering: string): Sql =>
  orderOf(ordering, ordering.endsWith('created_at') ? 'placed.' : 'lead.')

/** Who has the order of this column to himself, if anybody. */
const orderOwner = ({ viewer, filters }: Wanted, column: string): Condition | undefined =>
  column === 'external_id' ? ownerOf(viewer, filters) : undefined

export type Recent = Pick<Search, 'viewer' | 'filters' | 'originIds' | 'filedId' | 'span'> &
  Partial<Pick<Search, 'origins'>>

/** OFFSET 0 is how PostgreSQL is told to read these first: it cannot know how few they are. */
export const recent = ({ viewer, filters, filedId, span = always }: Recent): Sql => sql`
  (select * from lead where id > ${filedId} offset 0) as lead
  where ${isVisible(viewer)} and ${matches(filters)} and ${span}`

/** All of some parties, those that are filed and those that are not: their ids and moments alone. */
export const placed = (search: Recent): Sql => sql`
  select id, created_at from ${ofParties(search)} union all select id, created_at from ${recent(search)}`

/** Each index of a party knows no other, so those of several are found by the origins of their leads. */
function ofParties(search: Recent): Sql {
  const { viewer, filters, origins = 0, span = always } = search
  const wanted = partiesOf(viewer, filters)
  const isByOrigin = wanted.length > 1 && origins > 0 && origins <= MOST_ORIGINS
  return sql`lead_search where ${isByOrigin ? isOneOfOrigins(search) : all(isOf(wanted))} and ${span}`
}

const always = sql<boolean>`true`

const isOfPartiesAlone = (filters: LeadFilters): boolean => !hasUtm(filters) && !filters.external_id

/**
 * By which index leads with some external ids are found: entries of everybody's in the order of time, entries of an
 * owner's, or those alone that came on the wanted ways, whose moments and ids stand with the leads.
 */
type Way = 'all' | 'owner' | 'pairs'

const wayOf = (search: Search): Way => {
  const owner = ownerOf(search.viewer, search.filters)
  if (search.values && isNarrow(search, owner)) return 'pairs'
  return owner ? 'owner' : 'all'
}

/** Each of them is found by an index, and sorted then by the column unless the index has its order. */
export const gathered = (search: Search, column: string, way?: Way): Sql =>
  column === 'tracking_id' // stands with the lead alone
    ? sql`(select id from ${found(search, column, way)}) as filed join lead using (id)`
    : found(search, column, way)

function found(search: Search, column: string, way = wayOf(search)): Sql {
  const { filters, values, ofOrigins, span = always } = search
  if (isOfPartiesAlone(filters)) return ofParties(search)
  if (!ofOrigins) return sql`lead_search where false`
  if (!values) {
    const texts = filters.external_id ? [contains(sql`fold(external_id)`, filters.external_id)] : []
    return sql`lead_search where ${all([isOneOfOrigins(search), ...texts, span])}`
  }
  // How best to join leads for their tracking ids depends on how many there are.
  const wanted = hasOneOf(search, way, column === 'tracking_id' ? sql`${values.all}` : unseen(values.all))
  // Their own order an index may give; for any other OFFSET 0 tells PostgreSQL to look for them and then sort.
  return column === 'external_id' && way !== 'pairs'
    ? sql`lead_search where ${wanted}`
    : sql`(select id, created_at, external_id from lead_search where ${wanted} offset 0) as filed`
}

/**
 * Those with rare external ids, or with any that nobody knows, for counting them alone: whatever stands between the index
 * and the sum takes a fifth of its time again.
 */
export const counted = (search: Search): Sql =>
  search.values
    ? sql`lead_search where ${hasOneOf(search, wayOf(search), unseen(search.values.rare))}`
    : found(search, 'id')

/** What kept counts of common external ids are looked up by, beside these and an issuer. */
export const keptBy = (viewer: Viewer, filters: LeadFilters): 'product_id' | 'text_id' | undefined =>
  isOfIssuers(viewer, filters) ? (hasUtm(filters) ? 'text_id' : undefined) : 'product_id'

/** How many leads with these common external ids came on each way that is wanted, or with each of its texts. */
export function keptOf(search: Search, common: string[]): Sql {
  const key = keptBy(search.viewer, search.filters)
  const isKey = key ? sql<boolean>`${sql.ref(key)} = any(array(select unnest(${search.keptIds}::bigint[])))` : always
  const wanted = all([sql<boolean>`external_id = any(${unseen(common)})`, isKey])
  return key === 'product_id'
    ? sql`common_count where ${wanted} and ${isOneOfOrigins(search)}`
    : sql`common_text_count where ${wanted} and ${all(isOf(partiesOf(search.viewer, search.filters)))}`
}

function hasOneOf(search: Search, way: Way, values: Sql): Condition {
  const span = search.span ?? always
  // No index but the one of both has this collation, in which the same texts are equal, and this sum.
  if (way === 'pairs')
    return sql`external_id collate "POSIX" = any(${values}) and origin_id + 0 = any(array(${originsOf(search)})) and ${span}`
  const owner = way === 'owner' ? ownerOf(search.viewer, search.filters) : undefined
  return sql`external_id = any(${values}) and ${owner ?? always} and ${span} and ${isOfOrigin(search, owner)}`
}

/** By PostgreSQL's planning, which would weigh each of them for some milliseconds. */
const unseen = (values: string[]): Sql => sql`array(select unnest(${values}::text[]))`

/** All leads in order, or so many of them, each looked at until enough have been found. */
export function walked(search: Search, column: string, order: Sql, atMost: number | null = null): Sql {
  const { viewer, filters, values, filedId } = search
  if (isOfPartiesAlone(filters) && column !== 'external_id')
    return sql`(select * from lead where id <= ${filedId} order by ${order} limit ${atMost}) as lead
      where ${isVisible(viewer)} and ${matches(filters)}`
  const owner = orderOwner(search, column)
  const text = filters.external_id && contains(sql`fold(external_id)`, filters.external_id)
  const isOne = values ? sql<boolean>`(external_id in (select unnest(${values.all}::text[]))) is true` : text
  const wanted = all([...(isOne ? [isOne] : []), isOfOrigin(search, owner)])
  if (column === 'created_at' || column === 'external_id')
    return sql`(select * from lead_search where ${owner ?? sql`true`} order by ${order} limit ${atMost}) as filed
      where ${wanted}`
  return sql`
    (select id, created_at, tracking_id from lead where id <= ${filedId} order by ${order} limit ${atMost}) as placed
    cross join lateral (
      select origin_id, external_id from lead_search
      where (lead_search.created_at, lead_search.id) = (placed.created_at, placed.id) offset 0
    ) as filed where ${wanted}`
}

const originsOf = ({ viewer, filters, originIds }: Wanted): Sql =>
  originIds
    ? sql`select unnest(${originIds}::bigint[])`
    : sql`select id from lead_origin where ${isOrigin(viewer, filters)}`

/** Whether not every way on which leads came is wanted; whoever has an order of his own finds nobody else's in it. */
export const isNarrow = ({ viewer, filters }: Wanted, owner?: Condition): boolean =>
  hasUtm(filters) || partiesOf(viewer, filters).length > (owner ? 1 : 0)

/** For the index that has origins in its order. */
const isOneOfOrigins = (wanted: Wanted): Condition => sql`origin_id = any(array(${originsOf(wanted)}))`

/** "is true" keeps it a look into a table of hashes; as a join it would be planned for ten times too few leads. */
const isOfOrigin = (search: Search, owner?: Condition): Condition =>
  isNarrow(search, owner) ? sql`(origin_id in (${originsOf(search)})) is true` : sql`true`

/**
 * How many leads may be looked at on the way to the page, null being any number; undefined when gathering is the shorter
 * way. Where the wanted ones lie evenly among all they are met sooner; where they do not, no more is spent than twice
 * what gathering them costs, or what meeting most of all should take.
 */
export function lengthOfWalk(search: Search, column: string, end: number, count: number): number | null | undefined {
  const { filters, values, leads, owned } = search
  // The wanted ones lie together in this order, in an index as well.
  if (column === 'external_id' ? values : column === 'created_at' && isOfPartiesAlone(filters)) return undefined
  if (isOfPartiesAlone(filters) && !isNarrow(search, orderOwner(search, column))) return null
  const all = column === 'external_id' ? owned : leads
  const twice = (2 * end * all) / Math.max(count, 1)
  if (count * 2 > all) return Math.ceil(twice)
  const isEntry = column === 'external_id' || column === 'created_at'
  const most = (2 * gathering(search, column, end, count).cost) / (isEntry ? WALKED : HEAP)
  return twice < most ? Math.ceil(most) : undefined
}

interface Gathering {
  way?: Way
  /** In entries. */
  cost: number
  /** Of all days, those that should hold the page with some to spare; 1 where a guess is not worth its while. */
  part: number
}

/** What takes least to have the page's leads among those that an index finds. */
export function gathering(search: Search, column: string, end: number, count: number): Gathering {
  const { filters, values, leads, ofOrigins, origins } = search
  const share = (SPARE * end) / Math.max(count, 1)
  const part = column === 'created_at' && share <= 1 / 2 ? share : 1
  if (!values) {
    const cost = column === 'created_at' ? part * ofOrigins + origins * DESCENT : ofOrigins
    return { cost: !filters.external_id && ['created_at', 'id'].includes(column) ? cost : cost * HEAP, part }
  }
  if (!ofOrigins || !values.all.length) return { cost: 0, part: 1 }
  const way = wayOf(search)
  const row = column === 'tracking_id' || way === 'pairs' || (way === 'owner' && column === 'created_at') ? HEAP : 1
  const own = { way, cost: count * row + values.all.length * DESCENT, part: 1 }
  if (column !== 'created_at') return own
  // Of everybody's leads with the external ids as many should be wanted as of all.
  const cost = part * Math.min(leads, (count * leads) / ofOrigins) + values.all.length * DESCENT
  return way === 'all' || cost < own.cost ? { way: 'all', cost, part } : own
}

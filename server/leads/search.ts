import { type RawBuilder, sql } from 'kysely'
import type { LeadFilters } from '#contract/leads.ts'
import type { Tx } from '#db/connect.ts'
import { partiesOf } from '../parties.ts'
import type { Viewer } from '../viewer.ts'
import { all, type Condition, isOrigin, isVisible, matches, ownerOf } from './filters.ts'
import {
  counted,
  gathered,
  gathering,
  isNarrow,
  keptBy,
  keptOf,
  lengthOfWalk,
  MOST_ORIGINS,
  orderOf,
  type Recent,
  recent,
  type Search,
  type Sizes,
  type Values,
  walked,
} from './search-rows.ts'
import { isBefore, isSince, readFiledDays, spanOf, totalOf } from './totals.ts'

/** Texts are counted up to here, then the count is an estimate (D51). */
export const COUNTED = 100_000
/** More external ids than these are looked for in each lead instead. */
const MOST_VALUES = 10_000
/** Rare external ids have a thousand leads at most, or soon are none: so many have fewer than `SURELY_MANY`. */
const MOST_RARE = 300
/** On more ways, adding up what is kept of common external ids may take longer than counting their leads. */
const MOST_WAYS = 100_000
/** So many ways are told to the questions of a search; of more, each looks them up itself. */
const MOST_TOLD = 5_000
/** An estimate looks at so many leads at each of so many places, or of up to twice as many. */
const SAMPLE = { leads: 25, places: 200 }
/** Of so few leads it says no more than whether an estimate is worth its while. */
const GLANCE = { leads: 10, places: 60 }
/** An estimate of so many is of more than `COUNTED`, nearly always also where what is looked for came in bursts. */
const SURELY_MANY = 3 * COUNTED

export interface Rows {
  ordering: string
  offset: number
  size: number
}

export interface Opened {
  search: Search
  /** Among the leads that are not filed yet. */
  recently: number
}

/** The newest lead that is filed. */
export async function readFiledId(tx: Tx): Promise<number> {
  const { filed_id } = await tx.selectFrom('lead_filing').select('filed_id').executeTakeFirstOrThrow()
  return filed_id
}

/** How many origins leads of these parties have, more than `MOST_ORIGINS` being one more. */
export const countOrigins = (tx: Tx, viewer: Viewer, filters: LeadFilters): Promise<number> =>
  countUpTo(tx, MOST_ORIGINS, sql`lead_origin where ${isOrigin(viewer, filters)}`)

export async function openSearch(tx: Tx, viewer: Viewer, filters: LeadFilters): Promise<Opened> {
  const filedId = await readFiledId(tx)
  const owner = ownerOf(viewer, filters)
  const isTold = isNarrow({ viewer, filters }, owner)
  const key = filters.external_id ? keptBy(viewer, filters) : undefined
  const { rows } = await sql<
    Sizes & Required<Pick<Search, 'originIds' | 'keptIds'>> & { values: Omit<Values, 'all'> | null; recently: number }
  >`
    select coalesce(sum(count), 0)::float as leads,
      coalesce(sum(count) filter (where is_owned), 0)::float as owned,
      coalesce(sum(count) filter (where is_wanted), 0)::float as "ofOrigins",
      count(*) filter (where is_wanted)::float as origins,
      case when count(*) filter (where is_wanted) <= ${MOST_TOLD} then array_agg(id) filter (where is_wanted and ${isTold}) end::text
        as "originIds",
      case when count(*) filter (where is_wanted) <= ${MOST_WAYS}
        then ${key ? sql`array_agg(distinct ${sql.ref(key)}) filter (where is_wanted)` : sql`null`} end::text as "keptIds",
      ${filters.external_id ? valuesWith(filters.external_id) : sql`null`} as values,
      (select count(*) from ${recent({ viewer, filters, filedId })}) as recently
    from (
      select id, product_id, text_id, count, ${owner ?? sql`true`} as is_owned, ${isOrigin(viewer, filters)} as is_wanted
      from lead_origin offset 0
    ) as origin`.execute(tx)
  const { recently, values, ...found } = rows[0] as (typeof rows)[0] & object
  return { search: { viewer, filters, filedId, ...found, values: values && valuesOf(values, found.origins) }, recently }
}

function valuesOf({ common, rare }: Omit<Values, 'all'>, origins: number): Values {
  const all = [...common, ...rare]
  return origins > MOST_WAYS ? { all, common: [], rare: all } : { all, common, rare }
}

/** The external ids that have the text, common and rare; null where they are many. */
function valuesWith(text: string): RawBuilder<unknown> {
  // In a pattern, unlike in strpos(), the index finds it.
  const pattern = sql`'%' || regexp_replace(fold(${text}::text), '([\\\\%_])', '\\\\\\1', 'g') || '%'`
  return sql`(
    select case when count(*) <= ${MOST_VALUES} then json_build_object(
      'common', coalesce(json_agg(known.external_id) filter (where common is not null), '[]'),
      'rare', coalesce(json_agg(known.external_id) filter (where common is null), '[]')) end
    from (
      select external_id from lead_search where is_first and fold(external_id) like ${pattern} limit ${MOST_VALUES + 1}
    ) as known left join common_external_id as common using (external_id)
  )`
}

/** Where a text of external ids has more than `COUNTED` an estimate, if counting would take longer. */
export async function countFound(tx: Tx, { search, recently }: Opened): Promise<number> {
  const { filters, values, ofOrigins, origins } = search
  if (!filters.external_id || !ofOrigins) return ofOrigins + recently
  const guess = async (sample = SAMPLE) => Math.min(ofOrigins, await estimate(tx, search, sample))
  const areFew = ofOrigins <= SURELY_MANY || (values && values.rare.length <= MOST_RARE && origins <= MOST_WAYS)
  const isWorthIt = !areFew && (!values || (await guess(GLANCE)) > SURELY_MANY)
  const guessed = isWorthIt ? await guess() : 0
  if (guessed > SURELY_MANY) return guessed + recently
  if (values)
    return (await countKept(tx, search)) + (values.rare.length && (await count(tx, counted(search)))) + recently
  const found = await countUpTo(tx, COUNTED, counted(search))
  return (found <= COUNTED ? found : Math.max(found, guessed || (await guess()))) + recently
}

/** Of those with common external ids. */
async function countKept(tx: Tx, search: Search): Promise<number> {
  if (!search.values?.common.length) return 0
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(count), 0)::float as count from ${keptOf(search, search.values.common)}`.execute(tx)
  return rows[0]?.count ?? 0
}

async function count(tx: Tx, found: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${found}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** More than `most` are one more. */
export const countUpTo = (tx: Tx, most: number, found: RawBuilder<unknown>): Promise<number> =>
  count(tx, sql`(select from ${found} limit ${most + 1}) as counted`)

type Population = Pick<Search, 'viewer' | 'filters' | 'leads'> & { filedId?: number }

/**
 * As many of all leads (up to the one that is filed, if one is named) as of some that lie evenly apart: by a power of two,
 * so that they stay where they are while leads come and an estimate changes by little more than these, for pages are
 * counted from its end. 0 where so many ids are left out that there is too little to look at.
 */
export async function estimate(tx: Tx, population: Population, sample = SAMPLE): Promise<number> {
  const { viewer, filters, leads, filedId = Number.MAX_SAFE_INTEGER } = population
  const { rows } = await sql<{ looked: number; share: number }>`
    select count(*) as looked, avg((${all([isVisible(viewer), matches(filters)])})::int)::float as share
    from (
      select first, last, (2 ^ floor(log(2, greatest((last - first) / ${sample.places}::int, 1))))::bigint as step
      from (select min(id) as first, max(id) as last from lead where id <= ${filedId}) as ends offset 0
    ) as evenly
    cross join generate_series(first, last, step) as place
    cross join lateral (
      select * from lead where id >= place and id < least(place + step, last + 1) order by id limit ${sample.leads}
    ) as lead`.execute(tx)
  const { looked, share } = rows[0] ?? { looked: 0, share: 0 }
  return looked * 2 < sample.places * sample.leads ? 0 : Math.round(leads * share)
}

/** The page's leads, in no order. */
export async function readFound(tx: Tx, search: Search, count: number, rows: Rows): Promise<number[]> {
  const { order, column } = orderingOf(rows)
  const end = rows.offset + rows.size
  const walk = lengthOfWalk(search, column, end, count)
  if (walk === null) return readRows(tx, search, walked(search, column, order), rows)
  const met = walk ? await readWalked(tx, search, rows, walk) : undefined
  if (met) return met
  const { way, part } = gathering(search, column, end, count)
  const span = part < 1 && !search.span ? await guessSpan(tx, search, part, rows) : undefined
  if (span) {
    const ids = await readRows(tx, { ...search, span }, gathered({ ...search, span }, column, way), rows)
    if (ids.length === Math.min(rows.size, count - rows.offset)) return ids
  }
  return readRows(tx, search, gathered(search, column, span ? undefined : way), rows)
}

/** Undefined when the wanted ones lie elsewhere, as those of a campaign do that is over: not enough among so many. */
async function readWalked(tx: Tx, search: Search, rows: Rows, atMost: number): Promise<number[] | undefined> {
  const { key, order, column } = orderingOf(rows)
  const end = rows.offset + rows.size
  const { rows: pages } = await sql<{ met: number; ids: number[] }>`
    with met as materialized (
      select ${key} from ${walked(search, column, order, atMost)} order by ${order} limit ${end}
    )
    select (select count(*) from met) as met, array(
      select id from (select * from met union all (select ${key} from ${recent(search)})) as found
      order by ${order} limit ${rows.size} offset ${rows.offset}
    ) as ids`.execute(tx)
  const page = pages[0]
  return page?.met === end ? page.ids : undefined
}

export async function readRows(tx: Tx, search: Recent, filed: RawBuilder<unknown>, rows: Rows): Promise<number[]> {
  const { key, order } = orderingOf(rows)
  const page = await sql<{ id: number }>`
    select id from (
      (select ${key} from ${filed} order by ${order})
      union all
      (select ${key} from ${recent(search)} order by ${order})
    ) as found order by ${order} limit ${rows.size} offset ${rows.offset}`.execute(tx)
  return page.rows.map(({ id }) => id)
}

/**
 * Since when, or until when, so great a part of a party's filed leads came: what lies beyond needs no sorting. Only a
 * guess, which whoever finds too few in it does without.
 */
async function guessSpan(tx: Tx, search: Search, part: number, { ordering }: Rows): Promise<Condition | undefined> {
  const days = await readFiledDays(tx, partiesOf(search.viewer, search.filters))
  const size = Math.ceil(totalOf(days) * part)
  if (!size) return undefined
  const newestFirst = ordering.startsWith('-')
  const { from, until } = spanOf(days, { offset: 0, size, newestFirst })
  return newestFirst ? isSince(from) : isBefore(until)
}

function orderingOf({ ordering }: Rows) {
  const column = ordering.replace('-', '')
  const key = sql.join([...new Set(['id', column])].map((name) => sql.ref(name)))
  return { column, order: orderOf(ordering), key }
}

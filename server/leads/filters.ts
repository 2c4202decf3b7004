import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type LeadFilters, utmFields } from '#contract/leads.ts'
import type { Db, Tx } from '#db/connect.ts'
import { askedParties, ownParties, partiesOf } from '../parties.ts'
import { isClickedDuring } from '../totals/read.ts'
import type { Reader } from '../viewer.ts'
import { hasState, type IdRange, idsInState, isInRange } from './states.ts'

type Condition = RawBuilder<SqlBool>

/** Lists, details and exports of leads start here, so none can forget whose rows these are; sums go by parties. */
export function visibleLeads(db: Db | Tx, viewer: Reader) {
  let rows = db.selectFrom('lead')
  for (const [party, id] of ownParties(viewer)) rows = rows.where(`lead.${party}`, '=', id)
  return rows
}

const textFields = [...utmFields, 'external_id', 'tracking_id'] as const

export const hasText = (filters: LeadFilters): boolean => textFields.some((field) => filters[field])

/** The filters but the state as a condition, for a query that begins with visibleLeads(). */
function matches(filters: LeadFilters): Condition {
  const texts = textFields.flatMap((field) => {
    const text = filters[field]
    if (!text) return []
    return [field === 'tracking_id' ? isTracking(text) : contains(sql`fold(${sql.ref(`lead.${field}`)})`, text)]
  })
  const owners = askedParties(filters).map(([party, id]) => sql<SqlBool>`${sql.ref(`lead.${party}`)} = ${id}`)
  return sql`(${sql.join([isClickedDuring(filters), ...owners, ...texts], sql` and `)})`
}

/** The leads that the viewer may see and the filters match; with `range` those of it. */
export function matchingLeads(db: Db | Tx, viewer: Reader, filters: LeadFilters, range?: IdRange) {
  const { state } = filters
  const rows = visibleLeads(db, viewer).where(matches(filters)).where(isInRange(range, sql`lead.tracking_id`))
  if (!state) return rows
  if (state === 'click') return rows.where(hasState(state))
  const ids = sql<{ id_in_state: string }>`${idsInState(state, partiesOf(viewer, filters), filters, { range })}`
  return rows.innerJoin(ids.as<'of_state'>(sql`of_state (id_in_state)`), (join) =>
    join.onRef('id_in_state', '=', 'lead.tracking_id'),
  ) as unknown as typeof rows // the joined ids are of no use to callers
}

/** The same, for the first of many: leads are looked at in the wanted order or as a text finds them, and then their state. */
export const matchingLeadsLookedUp = (db: Db | Tx, viewer: Reader, filters: LeadFilters) => {
  const rows = visibleLeads(db, viewer).where(matches(filters))
  return filters.state ? rows.where(hasState(filters.state)) : rows
}

/** Literally, case and accents aside (D49); a LIKE pattern can use the trigram index. */
const contains = (folded: RawBuilder<unknown>, text: string): Condition =>
  sql`${folded} like '%' || regexp_replace(fold(${text}::text), '([\\\\%_])', '\\\\\\1', 'g') || '%'`

/** The whole id in any spelling, or its beginning: a range of the primary key. */
function isTracking(text: string): Condition {
  const digits = text.replace(/^urn:uuid:|[-{}]/gi, '').toLowerCase()
  if (!/^[0-9a-f]{1,32}$/.test(digits)) return sql`false`
  return sql`lead.tracking_id between ${digits.padEnd(32, '0')}::uuid and ${digits.padEnd(32, 'f')}::uuid`
}

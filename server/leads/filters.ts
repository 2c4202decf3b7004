import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type LeadFilters, utmFields } from '#contract/leads.ts'
import type { Db, Tx } from '#db/connect.ts'
import { askedParties, ownParties } from '../parties.ts'
import { isClickedDuring } from '../totals/read.ts'
import type { Viewer } from '../viewer.ts'

type Condition = RawBuilder<SqlBool>

/** Lists, details and exports of leads start here, so none can forget whose rows these are; sums go by parties. */
export function visibleLeads(db: Db | Tx, viewer: Viewer) {
  let rows = db.selectFrom('lead')
  for (const [party, id] of ownParties(viewer)) rows = rows.where(`lead.${party}`, '=', id)
  return rows
}

const textFields = [...utmFields, 'external_id', 'tracking_id'] as const

/** What totals cannot count: a new filter that is neither a party nor a range of days belongs here, too. */
export const needsSearch = (filters: LeadFilters): boolean => textFields.some((field) => filters[field])

/** The filters as a condition, for a query that begins with visibleLeads(). */
export function matches(filters: LeadFilters): Condition {
  const texts = textFields.flatMap((field) => {
    const text = filters[field]
    if (!text) return []
    return [field === 'tracking_id' ? isTracking(text) : contains(sql`fold(${sql.ref(`lead.${field}`)})`, text)]
  })
  const owners = askedParties(filters).map(([party, id]) => sql<SqlBool>`${sql.ref(`lead.${party}`)} = ${id}`)
  return sql`(${sql.join([isClickedDuring(filters), ...owners, ...texts], sql` and `)})`
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

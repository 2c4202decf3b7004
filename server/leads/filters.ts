import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type LeadFilters, utmFields } from '#contract/leads.ts'
import type { Db, Tx } from '#db/connect.ts'
import { parties, scopeOf } from '../parties.ts'
import { isClickedDuring } from '../totals/read.ts'
import type { Viewer } from '../viewer.ts'

type Condition = RawBuilder<SqlBool>

/** Every read of leads starts here, so no caller can forget whose rows these are. */
export function visibleLeads(db: Db | Tx, viewer: Viewer) {
  let rows = db.selectFrom('lead')
  for (const [party, id] of scopeOf(viewer)) rows = rows.where(`lead.${party}`, '=', id)
  return rows
}

const textFields = [...utmFields, 'external_id', 'tracking_id'] as const

export const hasText = (filters: LeadFilters): boolean => textFields.some((field) => filters[field])

/** What is asked for, for a query that begins with visibleLeads(). */
export function matches(filters: LeadFilters): Condition {
  const texts = textFields.flatMap((field) => {
    const text = filters[field]
    if (!text) return []
    return [field === 'tracking_id' ? isTracking(text) : contains(sql`fold(${sql.ref(`lead.${field}`)})`, text)]
  })
  const owners = parties(filters).map(([party, id]) => sql<SqlBool>`${sql.ref(`lead.${party}`)} = ${id}`)
  return sql`(${sql.join([isClickedDuring(filters), ...owners, ...texts], sql` and `)})`
}

/** Letter by letter, case and accents aside (D49); as a pattern, which the trigrams of an index serve. */
const contains = (folded: RawBuilder<unknown>, text: string): Condition =>
  sql`${folded} like '%' || regexp_replace(fold(${text}::text), '([\\\\%_])', '\\\\\\1', 'g') || '%'`

/** The whole id in any spelling, or its beginning: a range, which the key serves. */
function isTracking(text: string): Condition {
  const digits = text.replace(/^urn:uuid:|[-{}]/gi, '').toLowerCase()
  if (!/^[0-9a-f]{1,32}$/.test(digits)) return sql`false`
  return sql`lead.tracking_id between ${digits.padEnd(32, '0')}::uuid and ${digits.padEnd(32, 'f')}::uuid`
}

import { type Expression, type SqlBool, sql } from 'kysely'
import { type LeadFilters, utmFields } from '#contract/leads.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Viewer } from '../viewer.ts'

export type Party = ['affiliate_id' | 'issuer_id' | 'product_id', number]

/** Whose leads a viewer sees. */
export function scopeOf(viewer: Viewer): Party[] {
  switch (viewer.role) {
    case 'admin':
      return []
    case 'issuer':
      return [['issuer_id', viewer.issuerId]]
    case 'affiliate':
      return [['affiliate_id', viewer.affiliateId]]
  }
}

/** Every read of leads starts here, so no caller can forget whose rows these are. */
export function visibleLeads(db: Db | Tx, viewer: Viewer) {
  let rows = db.selectFrom('lead')
  for (const [party, id] of scopeOf(viewer)) rows = rows.where(`lead.${party}`, '=', id)
  return rows
}

/** Whose leads the caller asked for; an id of somebody else's meets the scope and finds nothing (D48). */
export function parties(filters: Pick<LeadFilters, Party[0]>): Party[] {
  const names = ['affiliate_id', 'issuer_id', 'product_id'] as const
  return names.flatMap((name): Party[] => (filters[name] ? [[name, filters[name]]] : []))
}

const textColumns = [...utmFields, 'external_id'] as const

export function textFilters(filters: LeadFilters): Expression<SqlBool>[] {
  const conditions = textColumns.flatMap((column) => {
    const text = filters[column]
    return text ? [containsText(column, text)] : []
  })
  return filters.tracking_id ? [...conditions, isTracking(filters.tracking_id)] : conditions
}

export const matches = (filters: LeadFilters): Expression<SqlBool> => {
  const asked = parties(filters).map(([party, id]) => sql<SqlBool>`${sql.ref(`lead.${party}`)} = ${id}`)
  return sql<SqlBool>`(${sql.join([sql`true`, ...asked, ...textFilters(filters)], sql` and `)})`
}

/** What fold() does, written out: a call of an SQL function for each of some million rows costs four times as much. */
const folded = (value: Expression<unknown>) => sql`lower(public.unaccent('public.unaccent'::regdictionary, ${value}))`

/** Letter by letter: strpos() has no wildcards to escape. */
const containsText = (column: (typeof textColumns)[number], text: string): Expression<SqlBool> =>
  sql<SqlBool>`strpos(${folded(sql.ref(`lead.${column}`))}, fold(${text}::text)) > 0`

/** The whole id in any spelling, or its beginning: a range, so that the index on tracking_id serves both. */
function isTracking(text: string): Expression<SqlBool> {
  const digits = text.replace(/^urn:uuid:|[-{}]/gi, '').toLowerCase()
  if (!/^[0-9a-f]{1,32}$/.test(digits)) return sql<SqlBool>`false`
  const [first, last] = [digits.padEnd(32, '0'), digits.padEnd(32, 'f')]
  return sql<SqlBool>`lead.tracking_id between ${first}::uuid and ${last}::uuid`
}

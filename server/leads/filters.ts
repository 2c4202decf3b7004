import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { type LeadFilters, utmFields } from '#contract/leads.ts'
import type { Db, Tx } from '#db/connect.ts'
import { type Party, parties, partiesOf, scopeOf } from '../parties.ts'
import type { Viewer } from '../viewer.ts'

export type Condition = RawBuilder<SqlBool>

/** Every read of leads starts here, so no caller can forget whose rows these are. */
export function visibleLeads(db: Db | Tx, viewer: Viewer) {
  let rows = db.selectFrom('lead')
  for (const [party, id] of scopeOf(viewer)) rows = rows.where(`lead.${party}`, '=', id)
  return rows
}

/** Who has an order by external id of his own. */
export function ownerOf(viewer: Viewer, filters: LeadFilters): Condition | undefined {
  const owners = new Map([...parties(filters), ...scopeOf(viewer)])
  for (const party of ['affiliate_id', 'issuer_id'] as const)
    if (owners.has(party)) return sql`${sql.ref(party)} = ${owners.get(party)}`
  return undefined
}

export const all = (conditions: Expression<SqlBool>[]): Condition =>
  sql`(${sql.join([sql`true`, ...conditions], sql` and `)})`

/** Nothing but these: without any, all leads are. */
export const isOf = (owners: Party[], table = ''): Condition[] =>
  owners.map(([party, id]) => sql<SqlBool>`${sql.ref(table + party)} = ${id}`)

export const hasUtm = (filters: LeadFilters): boolean => utmFields.some((field) => filters[field])

/** Whether no affiliate's and no product's leads are asked for. */
export const isOfIssuers = (viewer: Viewer, filters: LeadFilters): boolean =>
  partiesOf(viewer, filters).every(([party]) => party === 'issuer_id')

export const hasText = (filters: LeadFilters): boolean =>
  hasUtm(filters) || Boolean(filters.external_id || filters.tracking_id)

/** What a way on which leads came tells of them: parties and texts of campaigns. */
export function isOrigin(viewer: Viewer, filters: LeadFilters): Condition {
  const texts = utmFields.flatMap((field) => (filters[field] ? [contains(sql.ref(field), filters[field])] : []))
  return all([...isOf(partiesOf(viewer, filters)), ...texts])
}

/** The same of a lead itself, and all else that is asked for. */
export function matches(filters: LeadFilters): Condition {
  const texts = [...utmFields, 'external_id' as const].flatMap((column) =>
    filters[column] ? [contains(sql`fold(${sql.ref(`lead.${column}`)})`, filters[column])] : [],
  )
  const tracking = filters.tracking_id ? [isTracking(filters.tracking_id)] : []
  return all([...isOf(parties(filters), 'lead.'), ...texts, ...tracking])
}

/** For a query that does not begin with visibleLeads(). */
export const isVisible = (viewer: Viewer): Condition => all(isOf(scopeOf(viewer), 'lead.'))

/** Letter by letter: strpos() has no wildcards to escape. */
export const contains = (folded: Expression<unknown>, text: string): Condition =>
  sql<SqlBool>`strpos(${folded}, fold(${text}::text)) > 0`

/** The whole id in any spelling, or its beginning: a range, so that the index on tracking_id serves both. */
export function isTracking(text: string): Condition {
  const digits = digitsOf(text)
  if (!/^[0-9a-f]{1,32}$/.test(digits)) return sql<SqlBool>`false`
  const [first, last] = [digits.padEnd(32, '0'), digits.padEnd(32, 'f')]
  return sql<SqlBool>`lead.tracking_id between ${first}::uuid and ${last}::uuid`
}

/**
 * When leads came whose ids begin so: the first 48 bits are the millisecond in which a server minted the id (RFC 9562 5.7).
 * The database keeps its own moment, so a day is left for the clocks of both.
 */
export function isMintedThen(text: string): Condition {
  const [first = 0, last = 0] = ['0', 'f'].map((digit) =>
    Number.parseInt(digitsOf(text).padEnd(12, digit).slice(0, 12), 16),
  )
  return sql<SqlBool>`created_at between to_timestamp(${first / 1000}::float8) - interval '1 day'
    and to_timestamp(${last / 1000}::float8) + interval '1 day'`
}

/** Of a tracking id in any spelling. */
export const digitsOf = (text: string): string => text.replace(/^urn:uuid:|[-{}]/gi, '').toLowerCase()

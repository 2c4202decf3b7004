import type pg from 'pg'
import { type UtmField, utmFields } from '#contract/leads.ts'
import { copyRows, escapeField } from '#db/copy-rows.ts'

export type LeadRecord = Record<UtmField | 'external_id' | 'tracking_id', string> &
  Record<'relationship_id' | 'affiliate_id' | 'issuer_id' | 'product_id', number> & {
    lead_data: Record<string, unknown>
  }

const ids = ['relationship_id', 'affiliate_id', 'issuer_id', 'product_id'] as const
const texts = ['external_id', ...utmFields] as const
const columns = ['tracking_id', ...ids, ...texts, 'lead_data'].join(', ')
const types = [
  'tracking_id uuid',
  ...ids.map((id) => `${id} bigint`),
  ...texts.map((t) => `${t} text`),
  'lead_data jsonb',
]

const COPY = `copy lead (${columns}) from stdin`
// A statement that stores nothing waits for no standby, which may lack leads that are there: hence the message.
const INSERT = `insert into lead (${columns})
  select ${columns} from (select pg_logical_emit_message(true, 'afluente', '')) as written,
    json_to_recordset($1::json) as click (${types.join(', ')})
  on conflict (tracking_id) do nothing`

/** For leads that are certainly not in the table, since COPY knows no conflict. Half the cost of `insertLeads`, which takes over when it fails. */
export function copyLeads(pool: pg.Pool, leads: LeadRecord[], timeoutMs: number): Promise<unknown> {
  let rows = ''
  for (const lead of leads) rows += rowOf(lead)
  return copyRows(pool, COPY, rows, timeoutMs)
}

/** A line of PostgreSQL's text format, in the order of `columns`. */
export function rowOf(lead: LeadRecord): string {
  let row = lead.tracking_id
  for (const name of ids) row += `\t${lead[name]}`
  for (const name of texts) row += `\t${escapeField(lead[name])}`
  return `${row}\t${escapeField(JSON.stringify(lead.lead_data))}\n`
}

/** For leads that may be stored already, by a COMMIT without an answer or through the spool. */
export function insertLeads(pool: pg.Pool, leads: LeadRecord[], timeoutMs: number): Promise<unknown> {
  const query: pg.QueryConfig & { query_timeout: number } = {
    name: 'store-leads',
    text: INSERT,
    values: [JSON.stringify(leads)],
    // Ends the wait when a connection died silently.
    query_timeout: timeoutMs,
  }
  return pool.query(query)
}

import type pg from 'pg'
import type { UtmField } from '#contract/leads.ts'

export type LeadRecord = Record<UtmField | 'external_id' | 'tracking_id', string> &
  Record<'relationship_id' | 'affiliate_id' | 'issuer_id' | 'product_id', number> & {
    lead_data: Record<string, unknown>
    /** Only of a lead that waited in the spool; all others get the database's own time. */
    created_at?: string
  }

const texts = ['external_id', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content']
const ids = ['relationship_id', 'affiliate_id', 'issuer_id', 'product_id']
const columns = ['tracking_id', ...ids, ...texts, 'lead_data'].join(', ')
const types = [
  'tracking_id uuid',
  ...ids.map((id) => `${id} bigint`),
  ...texts.map((t) => `${t} text`),
  'lead_data jsonb',
  'created_at timestamptz',
]

const INSERT = `insert into lead (${columns}, created_at)
  select ${columns}, coalesce(created_at, now()) from json_to_recordset($1::json) as click (${types.join(', ')})`

interface Attempt {
  /** Frees the statement when a connection died without a word. */
  timeoutMs: number
  /**
   * They may have been stored already: their COMMIT went unanswered, or they waited in the spool. Looking for each costs
   * a sixth of the statement.
   */
  again: boolean
}

export function insertLeads(
  pool: pg.Pool | pg.Client,
  leads: LeadRecord[],
  { timeoutMs, again }: Attempt,
): Promise<unknown> {
  const query: pg.QueryConfig & { query_timeout: number } = {
    name: again ? 'store-leads-again' : 'store-leads',
    text: again ? `${INSERT} on conflict (tracking_id) do nothing` : INSERT,
    values: [JSON.stringify(leads)],
    query_timeout: timeoutMs,
  }
  return pool.query(query)
}

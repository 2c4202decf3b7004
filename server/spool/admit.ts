import type pg from 'pg'
import { endPool, openPool } from '#db/pool.ts'
import { readHeld } from './held.ts'
import { replaceLeads } from './lead-lines.ts'
import { insertLeads, type LeadRecord } from './lead-rows.ts'

const BATCH = 500
const ATTEMPT_MS = 60_000

// What is older than the restore is from before the two histories parted, so the id means the same in both. Of the present
// history every id does; of one that this database does not know, none.
const SAME = `
  with parted as (
    select coalesce((select min(began_at) from history where number > own.number), 'infinity') as at
    from history as own where id = $1
  )
  select position::int from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
    with ordinality as lead (relationship_id, affiliate_id, issuer_id, product_id, position), parted
  where exists (select from relationship where id = lead.relationship_id and created_at < parted.at)
    and exists (select from affiliate where id = lead.affiliate_id and created_at < parted.at)
    and exists (select from issuer where id = lead.issuer_id and created_at < parted.at)
    and exists (select from product where id = lead.product_id and created_at < parted.at)`

async function sameIn(pool: pg.Pool, history: string, leads: LeadRecord[]): Promise<Set<LeadRecord>> {
  const ids = (['relationship_id', 'affiliate_id', 'issuer_id', 'product_id'] as const).map((name) =>
    leads.map((lead) => lead[name]),
  )
  const { rows } = await pool.query<{ position: number }>(SAME, [history, ...ids])
  return new Set(rows.flatMap(({ position }) => leads[position - 1] ?? []))
}

/** Stores those leads of other histories that name nothing but what both histories have; the others stay where they are. */
export async function admitHeld(databaseUrl: string, folder: string): Promise<{ admitted: number; left: number }> {
  const pool = openPool(databaseUrl, { max: 1, role: 'afluente_app', statementTimeoutMs: ATTEMPT_MS })
  let [admitted, left] = [0, 0]
  try {
    for (const { file, history, leads } of await readHeld(folder)) {
      const stay: LeadRecord[] = []
      for (let at = 0; at < leads.length; at += BATCH) {
        const batch = leads.slice(at, at + BATCH)
        const same = await sameIn(pool, history, batch)
        await insertLeads(pool, [...same], ATTEMPT_MS)
        stay.push(...batch.filter((lead) => !same.has(lead)))
      }
      await replaceLeads(file, stay)
      admitted += leads.length - stay.length
      left += stay.length
    }
    return { admitted, left }
  } finally {
    await endPool(pool)
  }
}

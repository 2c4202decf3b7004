import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'

/** Leads of one transaction, with ten times as many sums: half a second of work. */
const BATCH_ROWS = 2_000
const PAUSE_MS = 5_000

/** Folds a batch of what changed into `result`; returns how much there was. The oldest first, each in one transaction. */
export async function foldResults(db: Db, batchRows = BATCH_ROWS): Promise<number> {
  const { rows } = await sql<{ folded: number }>`select fold_results(${batchRows}) as folded`.execute(db)
  return rows[0]?.folded ?? 0
}

/** The pause before the next batch, in ms. */
export const foldResultsAndRest = async (db: Db): Promise<number> =>
  (await foldResults(db)) >= BATCH_ROWS ? 0 : PAUSE_MS

/** Deletes values of days whose leads have lost theirs; returns how many. */
export async function forgetResults(db: Db, batchRows: number): Promise<number> {
  const { rows } = await sql<{ forgotten: number }>`select forget_results(${batchRows}) as forgotten`.execute(db)
  return rows[0]?.forgotten ?? 0
}

/**
 * Asked for before a lead is locked whose values are about to change, so that nobody counts it meanwhile. Held until the
 * transaction ends.
 */
export const holdResults = (tx: Tx) => sql`select hold_results()`.execute(tx)

/** Changes the values of a locked lead; what it counts for moves along, so that no erased text stays in a result. */
export async function changeValues(tx: Tx, trackingId: string, change: () => Promise<unknown>): Promise<void> {
  const { rows } = await sql<{ slot: number; value: string }>`
    select slot, value from lead
    cross join lateral result_values(utm_source, utm_medium, utm_campaign, utm_content, utm_term, lead_data)
    where tracking_id = ${trackingId}::uuid`.execute(tx)
  await change()
  await sql`select move_results(${trackingId}::uuid, ${JSON.stringify(rows)}::jsonb)`.execute(tx)
}

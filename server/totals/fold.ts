import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'

/** Rows of one transaction: some 50 ms of work. */
const BATCH_ROWS = 5_000
const PAUSE_MS = 5_000

/** Adds up what waits in total_delta; how many rows there were. Sums are right without it, and slower. */
export async function foldOnce(db: Db, batchRows = BATCH_ROWS): Promise<number> {
  const { rows } = await sql<{ folded: number }>`select fold_totals(${batchRows}) as folded`.execute(db)
  return rows[0]?.folded ?? 0
}

/** After how many milliseconds the next batch is due. */
export const foldAndRest = async (db: Db): Promise<number> => ((await foldOnce(db)) === BATCH_ROWS ? 0 : PAUSE_MS)

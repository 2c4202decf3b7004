import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'

/** Rows of one transaction: some 50 ms of work. */
const BATCH_ROWS = 5_000
const PAUSE_MS = 5_000

/** Folds a batch of total_delta; returns its number of rows. Sums are right without it, but slower. */
export async function foldOnce(db: Db, batchRows = BATCH_ROWS): Promise<number> {
  const { rows } = await sql<{ folded: number }>`select fold_totals(${batchRows}) as folded`.execute(db)
  return rows[0]?.folded ?? 0
}

/** The pause before the next batch, in ms. */
export const foldAndRest = async (db: Db): Promise<number> => ((await foldOnce(db)) === BATCH_ROWS ? 0 : PAUSE_MS)

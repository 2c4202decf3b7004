import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'

const EVERY_MS = 5_000

/** Moves sequences that were set back past the ids in use; says which. Returns the pause before the next look, in ms. */
export async function tendSequences(db: Db, report: (names: string[]) => void): Promise<number> {
  const { rows } = await sql<{ name: string }>`select advance_sequences() as name`.execute(db)
  if (rows.length) report(rows.map(({ name }) => name))
  return EVERY_MS
}

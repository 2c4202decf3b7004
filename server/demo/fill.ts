import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { DB } from '#db/tables.ts'

/**
 * Inserts rows with the same columns in one statement and returns their ids in the order of the rows. JSON instead of
 * parameters: a statement takes at most 65,535 parameters, and thousands of rows have more.
 */
export async function fill(tx: Tx, table: keyof DB, rows: readonly Record<string, unknown>[]): Promise<number[]> {
  const inserted = await insert(tx, table, rows, sql`returning id`)
  // Ids are handed out in the order of the rows; the order of "returning" is not promised.
  return inserted.map((row) => row.id).sort((a, b) => a - b)
}

/** The same for tables without an id. */
export async function fillWithoutId(tx: Tx, table: keyof DB, rows: readonly Record<string, unknown>[]): Promise<void> {
  await insert(tx, table, rows, sql``)
}

async function insert(
  tx: Tx,
  table: keyof DB,
  rows: readonly Record<string, unknown>[],
  returning: ReturnType<typeof sql>,
) {
  const [first] = rows
  if (!first) return []
  const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)))
  const source = sql`rows from (jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb))`
  const answer = await sql<{ id: number }>`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from ${source} with ordinality order by ordinality
    ${returning}`.execute(tx)
  return answer.rows
}

import { sql } from 'kysely'
import { changingOutcomes, type ImportOutcome, type ImportResult } from '#contract/imports.ts'
import type { Tx } from '#db/connect.ts'
import type { Work } from './work.ts'

/** A row that changes something, and what came of it so far. */
export interface ChangingRow {
  row_no: number
  lead_id: number
  tracking_id: string
  step_id: number
  reason_code: string | null
  outcome: ImportOutcome
  expected: string
  charge: string
  lead_event_id: number | null
  ruling_id: number | null
}

/** Rows of the file that are looked through for a batch, for each row that it may have. */
const WINDOW = 20

/** What a batch has to do, and the number up to which the file is done with it; none: the file ended before it. */
interface Batch {
  rows: ChangingRow[]
  through: number | undefined
}

/**
 * The next rows that change something and of which this came so far (null: nothing), in the order of the file. Looked for
 * in a window of it: in all that is left, PostgreSQL would read and sort every row for each batch while the table is not
 * analyzed since the file came.
 */
export async function nextRows(
  tx: Tx,
  { id, done, last_row }: Pick<Work, 'id' | 'done' | 'last_row'>,
  result: ImportResult | null,
  atMost: number,
): Promise<Batch> {
  if (done >= last_row) return { rows: [], through: undefined }
  const end = Math.min(done + WINDOW * atMost, last_row)
  const { rows } = await sql<ChangingRow>`
    select row_no, lead_id, tracking_id, step_id, reason_code, outcome, expected, charge, lead_event_id, ruling_id from import_row
    where import_id = ${id} and row_no > ${done} and row_no <= ${end}
      and outcome = any(${[...changingOutcomes]}::text[]) and result is not distinct from ${result}
    order by row_no limit ${atMost}`.execute(tx)
  return { rows, through: rows.length === atMost ? rows.at(-1)?.row_no : end }
}

/**
 * The condition that bounds an update of `import_row as one` to a batch, up to its last row. By the row numbers alone,
 * PostgreSQL would read the whole file for each batch while the table is not analyzed since the file came.
 */
export const withinBatch = ({ id, done }: Pick<Work, 'id' | 'done'>, last: number) =>
  sql`one.import_id = ${id} and one.row_no > ${done} and one.row_no <= ${last}`

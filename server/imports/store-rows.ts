import { sql } from 'kysely'
import { HEADER_ROW_MAX } from '#contract/imports.ts'
import type { Db } from '#db/connect.ts'
import { maskId } from '../events/data.ts'
import { conflict } from '../http/errors.ts'
import { maskPrivate } from '../privacy/mask.ts'
import { badFile } from './bad-file.ts'
import { meantBy } from './cells.ts'
import type { FileRow, ReadFile } from './csv.ts'
import { expectShort, fitted, isBlank, isHeaderAgain, type Table, type TopOptions, tableIn } from './header.ts'

const BATCH_ROWS = 250
/** Among which the header is looked for, or chosen. */
const TOP_ROWS = HEADER_ROW_MAX

export interface Stored {
  header: string[]
  header_row: number
  rows: number
  last_row: number
}

interface Storing {
  id: number
  read: ReadFile
  table: TopOptions
}

export async function storeRows(
  { db, digestKey }: { db: Db; digestKey: Uint8Array },
  { id, read, table }: Storing,
): Promise<Stored> {
  const below = new Below(read, table, digestKey)
  let [batch, rows, last_row]: [FileRow[], number, number] = [[], 0, 0]
  const flush = async () => {
    if (!batch.length) return
    await insertRows(db, id, batch)
    batch = []
  }
  for await (const row of below.rows()) {
    batch.push(row)
    rows += 1
    last_row = row.row_no
    if (batch.length === BATCH_ROWS) await flush()
  }
  await flush()
  if (!below.table) throw badFile('El archivo está vacío')
  if (!rows) throw badFile('El archivo no tiene renglones debajo del encabezado')
  const { header, header_row } = below.table
  return { header, header_row, rows, last_row }
}

/** The rows of leads, masked, and the table that they are of; what stands above it is left out. */
class Below {
  table: Table | undefined
  readonly #read: ReadFile
  readonly #options: TopOptions
  readonly #digestKey: Uint8Array

  constructor(read: ReadFile, options: TopOptions, digestKey: Uint8Array) {
    this.#read = read
    this.#options = options
    this.#digestKey = digestKey
  }

  async *rows(): AsyncGenerator<FileRow> {
    let top: FileRow[] = []
    for await (const row of this.#read.rows) {
      if (isBlank(row)) continue
      top.push(row)
      if (!this.table && (top.length < TOP_ROWS || row.row_no < TOP_ROWS)) continue
      yield* this.#kept(top)
      top = []
    }
    yield* this.#kept(top)
  }

  *#kept(rows: readonly FileRow[]): Generator<FileRow> {
    if (!rows.length) return
    this.table ??= this.#begin(rows)
    const { header, last_row } = this.table
    for (const { row_no, cells } of rows.filter((row) => row.row_no > last_row)) {
      expectShort({ row_no, cells }, header)
      if (isHeaderAgain({ row_no, cells }, this.table)) continue
      const masked = { row_no, cells: cells.map((cell) => cellOf(this.#digestKey, cell)) }
      if (!isBlank(masked)) yield fitted(masked, header, this.#read.delimiter)
    }
  }

  #begin(rows: readonly FileRow[]): Table {
    const found = tableIn(rows, this.#options)
    for (const row of rows) if (row.row_no <= found.last_row) expectShort(row, [])
    return { ...found, header: found.header.map((name) => cellOf(this.#digestKey, name)) }
  }
}

/** Masked as ids of events are, so that those are found again. */
function cellOf(digestKey: Uint8Array, text: string): string {
  const cell = meantBy(text)
  const masked = maskPrivate(cell, () => undefined)
  if (masked === cell) return cell
  const id = maskId(digestKey, cell, () => undefined)
  return id === cell ? masked : id
}

export const discarded = () => conflict('El archivo se descartó mientras llegaba', 'DISCARDED')

/** A file that was given up meanwhile takes no more. */
async function insertRows(db: Db, id: number, batch: readonly FileRow[]): Promise<void> {
  const { numAffectedRows } = await sql`
    with file as (
      update import set touched_at = now(), last_row = ${batch.at(-1)?.row_no ?? 0}
      where id = ${id} and status = 'receiving' returning id
    )
    insert into import_row (import_id, row_no, cells)
    select file.id, row_no, cells from file, jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as row (row_no int, cells jsonb)
  `.execute(db)
  if (Number(numAffectedRows) !== batch.length) throw discarded()
}

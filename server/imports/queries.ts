import { type SqlBool, sql } from 'kysely'
import { type ImportMapping, VALUES_MAX } from '#contract/import-mapping.ts'
import type { Import, ImportDetail, ImportRow, ImportRowFilters, ImportStatus } from '#contract/imports.ts'
import { dateInMexico, dayFirst } from '#contract/time.ts'
import type { Db, Tx } from '#db/connect.ts'
import { conflict, invalid, notFound } from '../http/errors.ts'
import { type PageQuery, paginationOf } from '../http/lists.ts'
import { nameFor } from '../parties.ts'
import { inSnapshot } from '../snapshot.ts'
import type { Reader, Viewer } from '../viewer.ts'

export type Importer = Exclude<Viewer, { role: 'affiliate' }>
export type ImportReader = Exclude<Reader, { role: 'affiliate' }>

const SAMPLE_ROWS = 20

/** Every read and change starts here: whole files of the viewer's own, none that was discarded. */
export function visibleImports(db: Db | Tx, viewer: ImportReader) {
  const rows = db.selectFrom('import').where('import.status', 'not in', ['receiving', 'discarded'])
  return viewer.role === 'admin' ? rows : rows.where('import.issuer_id', '=', viewer.issuerId)
}

type Visible = ReturnType<typeof visibleImports>

/** A simulation goes through the rows twice. */
const PASSES: Partial<Record<ImportStatus, number>> = { simulating: 2 }

const described = (visible: Visible, viewer: ImportReader) =>
  visible
    .innerJoin('issuer', 'issuer.id', 'import.issuer_id')
    .select([
      'import.id',
      'import.issuer_id',
      'issuer.company_name as issuer_name',
      'import.file_name',
      'import.status',
      'import.format',
      'import.bytes',
      sql<string>`encode(import.sha256, 'hex')`.as('sha256'),
      'import.charset',
      'import.sheet',
      'import.sheets',
      'import.header_row',
      'import.rows',
      'import.last_row',
      'import.done',
      'import.outcomes',
      'import.remarks',
      'import.results',
      'import.undo',
      'import.created_at',
      nameFor(viewer, 'import.created_by').as('created_by_name'),
      'import.simulated_at',
      'import.applied_at',
      nameFor(viewer, 'import.applied_by').as('applied_by_name'),
      'import.previewed_at',
      'import.undo_until',
      'import.undone_at',
      nameFor(viewer, 'import.undone_by').as('undone_by_name'),
      'import.undo_reason',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof described>['execute']>>[number]

function toImport({ last_row, done, ...row }: Row): Import {
  const status = row.status as ImportStatus
  const progress = Math.min(1, done / ((PASSES[status] ?? 1) * Math.max(1, last_row)))
  return {
    ...row,
    ...{
      status,
      format: row.format as Import['format'],
      sheets: row.sheets as string[],
      progress: Math.round(progress * 1000) / 1000,
    },
    ...{ outcomes: row.outcomes as Import['outcomes'], results: row.results as Import['results'] },
    ...{ remarks: row.remarks as Import['remarks'], undo: row.undo as Import['undo'] },
  }
}

export const listImports = (db: Db, viewer: Importer, filters: PageQuery & { issuer_id?: number | undefined }) =>
  inSnapshot(db, async (tx) => {
    const visible = visibleImports(tx, viewer)
    const asked = filters.issuer_id ? visible.where('import.issuer_id', '=', filters.issuer_id) : visible
    const { count } = await asked.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
    const rows = await described(asked, viewer)
      .orderBy('import.id', 'desc')
      .limit(filters.page_size)
      .offset((filters.page - 1) * filters.page_size)
      .execute()
    return { results: rows.map(toImport), pagination: paginationOf(count, filters) }
  })

export async function getImport(db: Db | Tx, viewer: ImportReader, id: number): Promise<ImportDetail> {
  const row = await described(visibleImports(db, viewer), viewer)
    .select(['import.header', 'import.mapping'])
    .where('import.id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('Conciliación', 'encontrada')
  const { header, mapping, ...rest } = row
  const sample = await db
    .selectFrom('import_row')
    .select('cells')
    .where('import_id', '=', id)
    .orderBy('row_no')
    .limit(SAMPLE_ROWS)
    .execute()
  return {
    ...toImport(rest),
    header: header as string[],
    sample: sample.map(({ cells }) => (cells ?? []) as string[]),
    mapping: mapping as ImportMapping | null,
    remembered: mapping === null ? await readRemembered(db, id) : null,
  }
}

/** What the same columns meant in the issuer's last file. */
async function readRemembered(db: Db | Tx, id: number): Promise<ImportMapping | null> {
  const { rows } = await sql<{ mapping: ImportMapping }>`
    select earlier.mapping from import as this
    join import as earlier on earlier.issuer_id = this.issuer_id and earlier.header = this.header
    where this.id = ${id} and earlier.mapping is not null order by earlier.id desc limit 1`.execute(db)
  return rows[0]?.mapping ?? null
}

/** For a file that the caller has found visible. */
async function findHeader(db: Db, viewer: Importer, id: number): Promise<string[]> {
  const row = await visibleImports(db, viewer).select('header').where('import.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Conciliación', 'encontrada')
  return row.header as string[]
}

export async function listValues(db: Db, viewer: Importer, id: number, column: number) {
  const header = await findHeader(db, viewer, id)
  if (column >= header.length) throw invalid('column', 'Columna no válida')
  return readValues(db, id, column, `«${header[column]}»`)
}

/** The different texts of a column, the most frequent first. */
export async function readValues(db: Db | Tx, id: number, column: number, name: string) {
  const { rows } = await sql<{ value: string; rows: number }>`
    select coalesce(cells ->> ${column}::int, '') as value, count(*)::int as rows from import_row
    where import_id = ${id} group by 1 order by 2 desc, 1 limit ${VALUES_MAX + 1}`.execute(db)
  if (rows.length > VALUES_MAX)
    throw conflict(`La columna ${name} tiene más de ${VALUES_MAX} valores distintos`, 'TOO_MANY_VALUES')
  return rows
}

export const listRows = (db: Db, viewer: Importer, id: number, filters: PageQuery & ImportRowFilters) =>
  inSnapshot(db, async (tx) => {
    const known = await visibleImports(tx, viewer).select('import.id').where('import.id', '=', id).executeTakeFirst()
    if (!known) throw notFound('Conciliación', 'encontrada')
    const asked = filteredRows(tx, id, filters)
    const { count } = await asked.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
    const rows = await asked
      .select(['row_no', 'cells', 'lead_id', 'outcome', 'expected', 'result', 'remarks', 'known_amount', 'known_on'])
      .orderBy('row_no')
      .limit(filters.page_size)
      .offset((filters.page - 1) * filters.page_size)
      .execute()
    const results = rows.map((row) => ({ ...row, cells: row.cells ?? [], remarks: row.remarks ?? [] })) as ImportRow[]
    return { results, pagination: paginationOf(count, filters) }
  })

/** For a file that the caller has found visible. */
export function filteredRows(db: Db | Tx, id: number, { outcome, result, remark }: ImportRowFilters) {
  let rows = db.selectFrom('import_row').where('import_id', '=', id)
  if (outcome) rows = rows.where('outcome', '=', outcome)
  if (result) rows = rows.where('result', '=', result)
  if (remark) rows = rows.where(sql<SqlBool>`remarks @> array[${remark}]::text[]`)
  return rows
}

/** Throws 409 where the same file of the issuer was applied, or is being. */
export async function refuseDuplicate(tx: Tx, issuerId: number, sha256: Buffer): Promise<void> {
  const earlier = await tx
    .selectFrom('import')
    .select(['id', 'applied_at'])
    .where('issuer_id', '=', issuerId)
    .where('sha256', '=', sha256)
    .where('status', 'in', ['applying', 'applied', 'previewing', 'undoing'])
    .executeTakeFirst()
  if (!earlier) return
  const day = dayFirst(dateInMexico(new Date(earlier.applied_at ?? Date.now())))
  throw conflict(`Este archivo ya se aplicó el ${day} (conciliación ${earlier.id})`, 'DUPLICATE_FILE')
}

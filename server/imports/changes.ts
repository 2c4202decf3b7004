import { sql, type UpdateObject } from 'kysely'
import { REJECTED } from '#contract/event-steps.ts'
import { guessDateFormat, type ImportMapping } from '#contract/import-mapping.ts'
import { type ImportDetail, NOT_SIMULATED, STALE } from '#contract/imports.ts'
import { dateInMexico, dayFirst } from '#contract/time.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { DB } from '#db/tables.ts'
import { audit } from '../audit.ts'
import { conflict, invalid, notFound } from '../http/errors.ts'
import { maskNote } from '../privacy/mask.ts'
import { getImport, type Importer, readValues, refuseDuplicate, visibleImports } from './queries.ts'

/** In a state in which it can be changed; locked against the background work on it. */
async function lockImport(tx: Tx, viewer: Importer, id: number, ...statuses: string[]) {
  const found = await visibleImports(tx, viewer)
    .select([
      'id',
      'issuer_id',
      'status',
      'file_name',
      'header',
      'mapping',
      'sha256',
      'simulated_at',
      'previewed_at',
      'undo_until',
    ])
    .where('import.id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw notFound('Conciliación', 'encontrada')
  if (!statuses.includes(found.status))
    throw conflict(refusals[found.status] ?? 'La conciliación cambió', 'IMPORT_STATE')
  return { ...found, header: found.header as string[], mapping: found.mapping as ImportMapping | null }
}

const refusals: Record<string, string> = {
  received: NOT_SIMULATED,
  simulating: 'La simulación está en curso. Espera a que termine.',
  applying: 'La conciliación se está aplicando',
  applied: 'La conciliación ya se aplicó',
  simulated: 'La conciliación no se ha aplicado',
  previewing: 'La conciliación se está calculando. Espera a que termine.',
  undoing: 'La conciliación se está deshaciendo',
  undone: 'La conciliación ya se deshizo',
}

const OPEN = ['received', 'simulated']
const NOT_APPLIED = [...OPEN, 'simulating']
const NOTHING_FOUND = { simulated_at: null, outcomes: '[]', remarks: '[]' }
const EMPTY = '(vacío)'
/** Of which the format of dates is guessed. */
const FIRST_ROWS = 200

/** What was simulated under another mapping is no longer what would be applied. */
export const mapImport = (db: Db, viewer: Importer, id: number, mapping: ImportMapping): Promise<ImportDetail> =>
  db.transaction().execute(async (tx) => {
    const found = await lockImport(tx, viewer, id, ...OPEN)
    await expectColumns(tx, found, mapping)
    const whole = { ...mapping, date_format: await findDateFormat(tx, id, mapping) }
    await tx
      .updateTable('import')
      .set({ mapping: JSON.stringify(whole), status: 'received', ...NOTHING_FOUND })
      .where('id', '=', id)
      .execute()
    return getImport(tx, viewer, id)
  })

type Found = Awaited<ReturnType<typeof lockImport>>

async function expectColumns(tx: Tx, { id, issuer_id, header }: Found, mapping: ImportMapping): Promise<void> {
  const columns = ['key_column', 'status_column', 'reason_column', 'amount_column', 'date_column'] as const
  for (const field of columns)
    if ((mapping[field] ?? 0) >= header.length) throw invalid(field, 'El archivo no tiene esa columna')
  expectOnce('values', mapping.values)
  expectOnce('reasons', mapping.reasons)
  if (mapping.key === 'external_id') await expectProduct(tx, issuer_id, mapping.product_id)
  const steps = mapping.values.filter(({ action }) => action === 'step')
  await expectTypes(tx, [...new Set(steps.map(({ event_type_id }) => event_type_id))])
  await expectReasons(tx, [...new Set(mapping.reasons.map(({ code }) => code))])
  const named = new Set(mapping.values.map(({ value }) => value))
  const values = await readValues(tx, id, mapping.status_column, `«${header[mapping.status_column]}»`)
  const missing = values.filter(({ value }) => !named.has(value)).map(({ value }) => value || EMPTY)
  if (missing.length) throw invalid('values', unassigned(missing), 'VALUES_UNASSIGNED')
}

/** Said twice, chance would decide what it means; compared letter by letter, as match_import_rows() does. */
function expectOnce(field: 'values' | 'reasons', said: readonly { value: string }[]): void {
  const seen = new Set<string>()
  for (const { value } of said) {
    if (seen.has(value)) throw invalid(field, `El valor ${value || EMPTY} está dos veces`)
    seen.add(value)
  }
}

/** As it was said, else as the first rows look. */
async function findDateFormat(tx: Tx, id: number, { date_column, date_format }: ImportMapping) {
  if (date_column === null) return null
  if (date_format !== null) return date_format
  const rows = await tx
    .selectFrom('import_row')
    .select(sql<string>`coalesce(cells ->> ${date_column}::int, '')`.as('text'))
    .where('import_id', '=', id)
    .orderBy('row_no')
    .limit(FIRST_ROWS)
    .execute()
  const format = guessDateFormat(rows.map(({ text }) => text))
  if (format === null) throw invalid('date_format', 'Elige cómo está escrita la fecha')
  return format
}

function unassigned(values: string[]): string {
  const shown = values.slice(0, 5).join(', ')
  const more = values.length > 5 ? ` y ${values.length - 5} más` : ''
  return values.length === 1
    ? `Hay un valor sin asignar: ${shown}`
    : `Hay ${values.length} valores sin asignar: ${shown}${more}`
}

async function expectProduct(tx: Tx, issuerId: number, productId: number | null): Promise<void> {
  if (productId === null) throw invalid('product_id', 'Elige el producto: un External ID solo vale dentro de uno')
  const known = await tx
    .selectFrom('product')
    .select('id')
    .where('id', '=', productId)
    .where('issuer_id', '=', issuerId)
    .executeTakeFirst()
  if (!known) throw invalid('product_id', 'El producto no existe')
}

async function expectTypes(tx: Tx, ids: (number | null)[]): Promise<void> {
  if (ids.includes(null)) throw invalid('values', 'Falta elegir el paso de un valor')
  const known = await tx.selectFrom('event_type').select('id').where('name', '<>', REJECTED).execute()
  const steps = new Set(known.map(({ id }) => id))
  if (ids.some((id) => !steps.has(id ?? 0))) throw invalid('values', 'El paso no existe')
}

async function expectReasons(tx: Tx, codes: string[]): Promise<void> {
  if (!codes.length) return
  const known = await tx.selectFrom('reject_reason').select('code').where('code', 'in', codes).execute()
  if (known.length < codes.length) throw invalid('reasons', 'El motivo no existe')
}

export const simulateImport = (db: Db, viewer: Importer, id: number): Promise<ImportDetail> =>
  db.transaction().execute(async (tx) => {
    const { mapping } = await lockImport(tx, viewer, id, ...OPEN)
    if (!mapping) throw conflict('Primero di qué significan las columnas', 'NOT_MAPPED')
    await moveTo(tx, id, { status: 'simulating', ...NOTHING_FOUND })
    return getImport(tx, viewer, id)
  })

interface Apply {
  simulated_at: string
  undoDays: number
}

/** Until when it can be undone is promised here, and stays as it is when the setting changes. */
export const applyImport = (db: Db, viewer: Importer, id: number, apply: Apply): Promise<ImportDetail> =>
  db.transaction().execute(async (tx) => {
    const found = await lockImport(tx, viewer, id, 'simulated')
    if (found.simulated_at !== apply.simulated_at) throw conflict(STALE, 'STALE')
    // Of two that apply the same file the second waits here, then finds the first.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`import ${found.issuer_id}`}, 0))`.execute(tx)
    await refuseDuplicate(tx, found.issuer_id, found.sha256 ?? Buffer.of())
    await moveTo(tx, id, {
      status: 'applying',
      applied_at: sql<string>`now()`,
      applied_by: viewer.userId,
      undo_until: sql<string>`now() + make_interval(days => ${apply.undoDays})`,
    })
    const detail = await getImport(tx, viewer, id)
    const after = { outcomes: detail.outcomes }
    await audit(tx, viewer, { action: 'apply', entity: 'import', entityId: id, label: found.file_name, after })
    return detail
  })

const moveTo = (tx: Tx, id: number, change: UpdateObject<DB, 'import'>) =>
  tx
    .updateTable('import')
    .set({ ...change, done: 0, touched_at: sql`now()` })
    .where('id', '=', id)
    .execute()

/** Says first what undoing would move, as it stands now. */
export const previewUndo = (db: Db, viewer: Importer, id: number): Promise<ImportDetail> =>
  db.transaction().execute(async (tx) => {
    expectInTime(await lockImport(tx, viewer, id, 'applied'))
    await moveTo(tx, id, { status: 'previewing', previewed_at: null, undo: '[]' })
    return getImport(tx, viewer, id)
  })

function expectInTime({ undo_until }: Found): void {
  if (undo_until !== null && Date.parse(undo_until) < Date.now())
    throw conflict(`Se podía deshacer hasta el ${dayFirst(dateInMexico(new Date(undo_until)))}`, 'UNDO_EXPIRED')
}

interface Undo {
  reason: string
  previewed_at: string
}

/** All of it, also where something has moved since the preview: half undone it would be neither. */
export const undoImport = (db: Db, viewer: Importer, id: number, undo: Undo): Promise<ImportDetail> =>
  db.transaction().execute(async (tx) => {
    const found = await lockImport(tx, viewer, id, 'applied')
    expectInTime(found)
    if (found.previewed_at !== undo.previewed_at) throw conflict(STALE, 'STALE')
    const undo_reason = maskNote(undo.reason)
    await moveTo(tx, id, { status: 'undoing', undone_at: sql<string>`now()`, undone_by: viewer.userId, undo_reason })
    const file = await getImport(tx, viewer, id)
    const after = { reason: undo_reason, undo: file.undo }
    await audit(tx, viewer, { action: 'undo', entity: 'import', entityId: id, label: file.file_name, after })
    return file
  })

/** Its rows are deleted in the background; that it was there stays in the audit trail. */
export const discardImport = (db: Db, viewer: Importer, id: number): Promise<undefined> =>
  db.transaction().execute(async (tx) => {
    const { file_name } = await lockImport(tx, viewer, id, ...NOT_APPLIED)
    await tx.updateTable('import').set({ status: 'discarded' }).where('id', '=', id).execute()
    await audit(tx, viewer, { action: 'delete', entity: 'import', entityId: id, label: file_name })
    return undefined
  })

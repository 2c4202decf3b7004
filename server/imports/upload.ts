import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type SqlBool, sql } from 'kysely'
import { cleanText } from '#contract/fields.ts'
import { type ImportDetail, TOO_MANY_WAITING, UPLOAD_RUNNING, WAITING_MAX } from '#contract/imports.ts'
import type { Db } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { maskId } from '../events/data.ts'
import { conflict, invalid, violates } from '../http/errors.ts'
import type { Sent } from '../http/uploads.ts'
import { maskPrivate } from '../privacy/mask.ts'
import { badFile, tooLarge } from './bad-file.ts'
import { type FileRow, type ReadFile, readCsv } from './csv.ts'
import { expectShort, fitted, headerOf, isBlank, isHeaderAgain } from './header.ts'
import { getImport, type Importer, refuseDuplicate } from './queries.ts'

export interface Uploads {
  db: Db
  megabytes: number
  /** Of the digests that stand for masked ids, as in events. */
  digestKey: Uint8Array
}

interface Upload {
  issuer_id?: number | undefined
  name: string
}

const BATCH_ROWS = 250
/** A file that arrives, or waits for its turn to be read, says so often that it is not given up. */
const TOUCH_MS = 30_000
/** Longer than a connection may be silent: whatever was receiving it is gone. */
const ABANDONED = sql`touched_at < now() - interval '5 minutes'`

/** Stores the rows of a file while it arrives. What is not whole, or cannot be read, is discarded. */
export async function receiveFile(
  uploads: Uploads,
  viewer: Importer,
  upload: Upload,
  { file, gone }: Sent,
): Promise<ImportDetail> {
  const { db } = uploads
  const issuerId = await issuerOf(db, viewer, upload)
  const id = await begin(db, viewer, issuerId, upload.name)
  const arriving = new Arriving(file, uploads.megabytes)
  const touching = setInterval(() => void touch(db, id), TOUCH_MS)
  try {
    await expectRoom(db, issuerId)
    const read = await readFile(arriving, gone)
    const stored = await storeRows(uploads, id, read)
    await finish(db, viewer, { id, issuerId, ...stored, read, arriving })
  } catch (error) {
    // Else nobody can read what is left of it away, and the answer waits for that.
    void arriving.chunks.return(undefined)
    await discardReceiving(db, sql`id = ${id}`)
    throw error
  } finally {
    clearInterval(touching)
  }
  return getImport(db, viewer, id)
}

async function issuerOf(db: Db, viewer: Importer, { issuer_id }: Upload): Promise<number> {
  if (viewer.role === 'issuer') {
    if (issuer_id !== undefined && issuer_id !== viewer.issuerId) throw invalid('issuer_id', 'El emisor no existe')
    return viewer.issuerId
  }
  if (issuer_id === undefined) throw invalid('issuer_id', 'Selecciona el emisor')
  const issuer = await db
    .selectFrom('issuer')
    .select('id')
    .where('id', '=', issuer_id)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
  if (!issuer) throw invalid('issuer_id', 'El emisor no existe')
  return issuer.id
}

async function begin(db: Db, viewer: Importer, issuer_id: number, name: string): Promise<number> {
  await discardReceiving(db, sql`issuer_id = ${issuer_id} and ${ABANDONED}`)
  try {
    const file_name = cleanText(name).replace(/[/\\]/g, '_')
    const values = { issuer_id, file_name, created_by: viewer.userId, format: 'csv' }
    return (await db.insertInto('import').values(values).returning('id').executeTakeFirstOrThrow()).id
  } catch (error) {
    throw violates(error, 'import_receiving_key') ? conflict(UPLOAD_RUNNING, 'UPLOAD_RUNNING') : error
  }
}

/** What waits fills the disk, also for its deletion. Asked by who receives, since nobody else adds to it meanwhile. */
async function expectRoom(db: Db, issuerId: number): Promise<void> {
  const { count } = await db
    .selectFrom('import')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('issuer_id', '=', issuerId)
    .where(sql<SqlBool>`(status in ('received', 'simulating', 'simulated') or (status = 'discarded' and last_row > 0))`)
    .executeTakeFirstOrThrow()
  if (count >= WAITING_MAX) throw conflict(TOO_MANY_WAITING, 'TOO_MANY_WAITING')
}

/** Until it has taken longer than any that is not stuck. */
const touch = (db: Db, id: number) =>
  sql`update import set touched_at = now()
    where id = ${id} and status = 'receiving' and created_at > now() - interval '1 hour'`
    .execute(db)
    .catch(() => undefined) // the next one may find the database

/** Its rows are deleted in the background. */
export const discardReceiving = (db: Db, which = ABANDONED) =>
  sql`update import set status = 'discarded' where status = 'receiving' and ${which}`.execute(db)

/** The bytes of a file as they arrive: counted and hashed. */
class Arriving {
  readonly #file: Readable
  readonly #megabytes: number
  readonly #hash = createHash('sha256')
  readonly chunks = this.#read()
  bytes = 0
  format: 'csv' | 'xlsx' = 'csv'

  constructor(file: Readable, megabytes: number) {
    this.#file = file
    this.#megabytes = megabytes
  }

  async *#read(): AsyncGenerator<Buffer> {
    // The request itself is left alone when its rows are refused, so that it can be answered.
    for await (const chunk of this.#file.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      this.bytes += chunk.length
      if (this.bytes > this.#megabytes * 1024 * 1024) throw tooLarge(this.#megabytes)
      this.#hash.update(chunk)
      yield chunk
    }
  }

  digest = (): Buffer => this.#hash.digest()
}

/** By what it begins with: browsers name its type as they like. */
async function readFile(arriving: Arriving, gone: AbortSignal): Promise<ReadFile> {
  const bytes = arriving.chunks
  const { done, value: first } = await bytes.next()
  if (done) throw badFile('El archivo está vacío')
  const whole = (async function* () {
    yield first
    yield* bytes
  })()
  if (first.subarray(0, 4).toString('latin1') === 'PK\x03\x04') {
    arriving.format = 'xlsx'
    // Loaded only when needed: it would delay the first click after a crash.
    const { readXlsx } = await import('./xlsx.ts')
    return readXlsx(whole, gone)
  }
  if (first.subarray(0, 4).toString('hex') === 'd0cf11e0')
    throw badFile('El archivo es de un Excel antiguo o tiene contraseña. Guárdalo como .xlsx sin ella, o como CSV.')
  return readCsv(whole)
}

interface Stored {
  header: string[]
  rows: number
  last_row: number
}

async function storeRows({ db, digestKey }: Uploads, id: number, { rows }: ReadFile): Promise<Stored> {
  const stored: Stored = { header: [], rows: 0, last_row: 0 }
  let batch: FileRow[] = []
  const flush = async () => {
    if (!batch.length) return
    await insertRows(db, id, batch)
    batch = []
  }
  for await (const read of rows) {
    expectShort(read, stored.header)
    const row = { row_no: read.row_no, cells: read.cells.map((cell) => cellOf(digestKey, cell)) }
    if (isBlank(row)) continue
    if (!stored.header.length) {
      stored.header = headerOf(row)
      continue
    }
    if (isHeaderAgain(row, stored.header)) continue
    batch.push(fitted(row, stored.header))
    stored.rows += 1
    stored.last_row = row.row_no
    if (batch.length === BATCH_ROWS) await flush()
  }
  await flush()
  if (!stored.header.length) throw badFile('El archivo está vacío')
  if (!stored.rows) throw badFile('El archivo no tiene renglones debajo del encabezado')
  return stored
}

/** Masked as ids of events are, so that those are found again. */
function cellOf(digestKey: Uint8Array, text: string): string {
  const cell = cleanText(text).trim()
  const masked = maskPrivate(cell, () => undefined)
  if (masked === cell) return cell
  const id = maskId(digestKey, cell, () => undefined)
  return id === cell ? masked : id
}

const discarded = () => conflict('El archivo se descartó mientras llegaba', 'DISCARDED')

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

interface Finished extends Stored {
  id: number
  issuerId: number
  read: ReadFile
  arriving: Arriving
}

const finish = (db: Db, viewer: Importer, { id, issuerId, header, rows, last_row, read, arriving }: Finished) =>
  db.transaction().execute(async (tx) => {
    const sha256 = arriving.digest()
    await refuseDuplicate(tx, issuerId, sha256)
    const { bytes, format } = arriving
    const file = await tx
      .updateTable('import')
      .set({
        ...{ status: 'received', format, bytes, sha256, rows, last_row, charset: read.charset() },
        ...{ header: JSON.stringify(header), touched_at: sql`now()` },
      })
      .where('id', '=', id)
      .where('status', '=', 'receiving')
      .returning('file_name')
      .executeTakeFirst()
    if (!file) throw discarded()
    const after = { issuer_id: issuerId, rows, sha256: sha256.toString('hex') }
    await audit(tx, viewer, { action: 'create', entity: 'import', entityId: id, label: file.file_name, after })
  })

import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type SqlBool, sql } from 'kysely'
import { cleanText } from '#contract/fields.ts'
import { type ImportDetail, TOO_MANY_WAITING, UPLOAD_RUNNING, WAITING_MAX } from '#contract/imports.ts'
import type { Db } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { conflict, invalid, violates } from '../http/errors.ts'
import type { Sent } from '../http/uploads.ts'
import { badFile, tooLarge } from './bad-file.ts'
import { type ReadFile, readCsv } from './csv.ts'
import { containerOf, expectTable, isArchive, isContainer, KIND_BYTES } from './kinds.ts'
import { getImport, type Importer, refuseDuplicate } from './queries.ts'
import { readHead, rest } from './read-head.ts'
import { chooseSheet, readEarlier } from './remembered.ts'
import { discarded, type Stored, storeRows } from './store-rows.ts'
import type { Wanted } from './xlsx.ts'

export interface Uploads {
  db: Db
  megabytes: number
  /** Of the digests that stand for masked ids, as in events. */
  digestKey: Uint8Array
}

interface Upload {
  issuer_id?: number | undefined
  name: string
  /** Where the table is, as a person said. */
  sheet?: string | undefined
  header_row?: number | undefined
}

/** Enough to see what an old file of Excel is. */
const CONTAINER_BYTES = 8 * 1024 * 1024
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
    const earlier = await readEarlier(db, issuerId)
    const sheet = chooseSheet(upload.sheet, earlier)
    const read = await readFile(arriving, { gone, choose: sheet.choose })
    const table = { chosen: upload.header_row, known: earlier.headers, isSheet: arriving.format === 'xlsx' }
    const stored = await storeRows(uploads, { id, read, table })
    await finish(db, viewer, { id, issuerId, ...stored, ...sheet.chosen, read, arriving })
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
async function readFile(arriving: Arriving, wanted: Wanted): Promise<ReadFile> {
  const bytes = arriving.chunks
  const head = await readHead(bytes, KIND_BYTES)
  if (!head.length) throw badFile('El archivo está vacío')
  const whole = rest(head, bytes)
  if (isArchive(head)) {
    arriving.format = 'xlsx'
    // Loaded only when needed: it would delay the first click after a crash.
    const { readXlsx } = await import('./xlsx.ts')
    return readXlsx(whole, wanted)
  }
  if (isContainer(head)) throw containerOf(await readHead(whole, CONTAINER_BYTES))
  expectTable(head)
  return readCsv(whole)
}

interface Finished extends Stored {
  id: number
  issuerId: number
  read: ReadFile
  arriving: Arriving
  sheet: string | null
  sheets: readonly string[]
}

const finish = (db: Db, viewer: Importer, { id, issuerId, read, arriving, header, sheets, ...found }: Finished) =>
  db.transaction().execute(async (tx) => {
    const sha256 = arriving.digest()
    await refuseDuplicate(tx, issuerId, sha256)
    const { bytes, format } = arriving
    const file = await tx
      .updateTable('import')
      .set({
        ...{ status: 'received', format, bytes, sha256, charset: read.charset(), ...found },
        ...{ header: JSON.stringify(header), sheets: JSON.stringify(sheets), touched_at: sql`now()` },
      })
      .where('id', '=', id)
      .where('status', '=', 'receiving')
      .returning('file_name')
      .executeTakeFirst()
    if (!file) throw discarded()
    const after = { issuer_id: issuerId, rows: found.rows, sha256: sha256.toString('hex') }
    await audit(tx, viewer, { action: 'create', entity: 'import', entityId: id, label: file.file_name, after })
  })

import { addAbortSignal, Readable } from 'node:stream'
import type { AuditEntity } from '#contract/audit-log.ts'
import { type ExportFormat, mediaTypes } from '#contract/exports.ts'
import { dateInMexico } from '#contract/time.ts'
import type { Db } from '#db/connect.ts'
import { audit } from '../audit.ts'
import type { FileAnswer } from '../http/streams.ts'
import type { Reader } from '../viewer.ts'
import type { Column } from './cells.ts'
import { csvOf } from './csv.ts'
import { openListing, type Source } from './listing.ts'

/** What is exported: the rows and their columns. */
export interface Sheet<Row> extends Source<Row> {
  /** The names of the file and its sheet, e.g. 'pagos' and 'Pagos'. */
  file: string
  title: string
  entity: AuditEntity
  entityId?: number
  /** Filters of which the trail keeps only that they were used: what a visitor's click said is never erased there. */
  omits?: readonly string[]
  columns: readonly Column<Row>[]
}

export interface Exporting {
  db: Db
  /** A pool of its own, so that long files never delay short queries. */
  reader: Db
  patience: Patience
  /** Reports errors after the answer has begun. */
  report: (error: unknown) => void
}

/**
 * How long a reader may let a thousand rows wait, and a file may take as a whole. An export holds one of few
 * connections, so who reads slower than that, or not at all, is cut off. The pause is shorter than the one after which
 * PostgreSQL ends the transaction, so ours decides.
 */
export interface Patience {
  pauseMs: number
  wholeMs: number
}
export const PATIENCE: Patience = { pauseMs: 15_000, wholeMs: 900_000 }

type Filters = { format: ExportFormat } & Record<string, unknown>

export async function exportSheet<Row>(
  { db, reader, patience, report }: Exporting,
  viewer: Reader,
  filters: Filters,
  sheet: Sheet<Row>,
): Promise<FileAnswer> {
  const { format } = filters
  const name = `afluente-${sheet.file}-${dateInMexico()}.${format}`
  const late = new AbortController()
  const giveUp = () => late.abort()
  const listing = await openListing(reader, viewer, sheet, { pauseMs: patience.pauseMs, giveUp })
  const deadline = setTimeout(giveUp, patience.wholeMs)
  // Whether the file ends, fails or is cancelled.
  const close = () => {
    clearTimeout(deadline)
    void listing.close().catch(report)
  }
  try {
    await auditExport(db, viewer, sheet, name, filters)
    const { batches } = listing
    const { title, columns } = sheet
    const body = format === 'xlsx' ? await sheetOf(title, columns, batches) : Readable.from(csvOf(columns, batches))
    return { name, type: mediaTypes[format], body: addAbortSignal(late.signal, body.once('close', close)) }
  } catch (error) {
    close()
    throw error
  }
}

/** Loaded only when needed: it would delay the first click after a crash. */
async function sheetOf<Row>(title: string, columns: readonly Column<Row>[], batches: AsyncIterable<readonly Row[]>) {
  const { xlsxOf } = await import('./xlsx.ts')
  return xlsxOf(title, columns, batches)
}

/** Audited before the first row is sent: a cancelled file was partly exported, too. */
async function auditExport<Row>(
  db: Db,
  viewer: Reader,
  { entity, entityId = undefined, omits = [] }: Sheet<Row>,
  label: string,
  filters: Filters,
): Promise<void> {
  const after = { ...filters }
  for (const name of omits) if (after[name] !== undefined) after[name] = '(omitido)'
  await db
    .transaction()
    .execute((tx) => audit(tx, viewer, { action: 'export', entity, entityId: entityId ?? null, label, after }))
}

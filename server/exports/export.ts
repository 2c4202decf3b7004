import { Readable } from 'node:stream'
import { type ExportFormat, mediaTypes } from '#contract/exports.ts'
import { dateInMexico } from '#contract/time.ts'
import type { Db } from '#db/connect.ts'
import { audit } from '../audit.ts'
import type { FileAnswer } from '../http/streams.ts'
import type { Viewer } from '../viewer.ts'
import type { Column } from './cells.ts'
import { csvOf } from './csv.ts'
import { openListing, type Select } from './listing.ts'

/** What is exported: which rows, read in the export's own transaction, and what of them. */
export interface Sheet<Row> {
  /** How the file and its sheet are called, e.g. 'pagos' and 'Pagos'. */
  file: string
  title: string
  entity: string
  entityId?: number
  columns: readonly Column<Row>[]
  select: Select<Row>
}

export interface Exporting {
  db: Db
  /** Connections of their own, so that long files never keep the short questions waiting. */
  reader: Db
  /** Hears what went wrong when there is nobody left to answer. */
  report: (error: unknown) => void
}

type Filters = { format: ExportFormat } & Record<string, unknown>

export async function exportSheet<Row>(
  { db, reader, report }: Exporting,
  viewer: Viewer,
  filters: Filters,
  sheet: Sheet<Row>,
): Promise<FileAnswer> {
  const { format } = filters
  const name = `afluente-${sheet.file}-${dateInMexico()}.${format}`
  const listing = await openListing(reader, viewer, sheet.select)
  // Whether the file ends, fails or nobody wants it any more.
  const close = () => void listing.close().catch(report)
  try {
    await auditExport(db, viewer, sheet, name, filters)
    const { batches } = listing
    const { title, columns } = sheet
    const body = format === 'xlsx' ? await sheetOf(title, columns, batches) : Readable.from(csvOf(columns, batches))
    return { name, type: mediaTypes[format], body: body.once('close', close) }
  } catch (error) {
    close()
    throw error
  }
}

/** Loaded only when asked for: it would keep the first click after a crash waiting. */
async function sheetOf<Row>(title: string, columns: readonly Column<Row>[], batches: AsyncIterable<readonly Row[]>) {
  const { xlsxOf } = await import('./xlsx.ts')
  return xlsxOf(title, columns, batches)
}

/** Before the first row leaves: what is cancelled half-way was taken out too. */
async function auditExport<Row>(
  db: Db,
  viewer: Viewer,
  { entity, entityId = undefined }: Sheet<Row>,
  label: string,
  filters: Filters,
): Promise<void> {
  await db
    .transaction()
    .execute((tx) => audit(tx, viewer, { action: 'export', entity, entityId: entityId ?? null, label, after: filters }))
}

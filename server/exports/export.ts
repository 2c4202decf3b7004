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

/** What is exported: the rows, read in the export's own transaction, and their columns. */
export interface Sheet<Row> {
  /** The names of the file and its sheet, e.g. 'pagos' and 'Pagos'. */
  file: string
  title: string
  entity: string
  entityId?: number
  columns: readonly Column<Row>[]
  select: Select<Row>
}

export interface Exporting {
  db: Db
  /** A pool of its own, so that long files never delay short queries. */
  reader: Db
  /** Reports errors after the answer has begun. */
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
  // Whether the file ends, fails or is cancelled.
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

/** Loaded only when needed: it would delay the first click after a crash. */
async function sheetOf<Row>(title: string, columns: readonly Column<Row>[], batches: AsyncIterable<readonly Row[]>) {
  const { xlsxOf } = await import('./xlsx.ts')
  return xlsxOf(title, columns, batches)
}

/** Audited before the first row is sent: a cancelled file was partly exported, too. */
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

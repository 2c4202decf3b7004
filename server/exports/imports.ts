import { sql } from 'kysely'
import type { ImportMapping } from '#contract/import-mapping.ts'
import { type ImportRemark, remarkText } from '#contract/import-remarks.ts'
import {
  type ImportDetail,
  type ImportOutcome,
  type ImportResult,
  type ImportRowFilters,
  importResultLabels,
  outcomeLabel,
} from '#contract/imports.ts'
import type { Db, Tx } from '#db/connect.ts'
import { filteredRows, getImport, type ImportReader } from '../imports/queries.ts'
import { type Column, money, number, text } from './cells.ts'
import type { Sheet } from './export.ts'
import { amountHead } from './payments.ts'

const rowsOf = (tx: Tx, id: number, filters: ImportRowFilters) =>
  filteredRows(tx, id, filters)
    .select(['row_no', 'lead_id', 'outcome', 'expected', 'result', 'known_amount', 'known_on'])
    .select([sql<string[] | null>`cells`.as('cells'), sql<ImportRemark[] | null>`remarks`.as('remarks')])
    .orderBy('row_no')

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number]

/** What the file was compared by, if it was. */
const remarkColumns = (mapping: ImportMapping | null): Column<Row>[] =>
  mapping && (mapping.amount_column ?? mapping.date_column ?? null) !== null
    ? [text('Observaciones', (row) => remarkText({ ...row, remarks: row.remarks ?? [] }))]
    : []

const columnsFor = ({ header, mapping }: ImportDetail): Column<Row>[] => [
  number('Renglón', (row) => row.row_no),
  ...header.map((name, index) => text<Row>(name, (row) => row.cells?.[index])),
  number('Lead', (row) => row.lead_id),
  text(
    'Veredicto',
    ({ outcome, result }) => outcome && outcomeLabel(outcome as ImportOutcome, result as ImportResult | null),
  ),
  money(amountHead('Monto'), (row) => row.expected),
  text('Resultado', (row) => row.result && importResultLabels[row.result as ImportResult]),
  ...remarkColumns(mapping),
]

/** The file that was sent, each row with what would come or came of it: what an issuer gets back. */
export async function importRowSheet(
  db: Db,
  viewer: ImportReader,
  id: number,
  filters: ImportRowFilters,
): Promise<Sheet<Row>> {
  const file = await getImport(db, viewer, id)
  return {
    ...{ file: `conciliacion-${id}`, title: 'Conciliación', entity: 'import', entityId: id },
    columns: columnsFor(file),
    withoutLeads: true,
    select: (tx) => rowsOf(tx, id, filters),
  }
}

import { sql } from 'kysely'
import {
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
    .select(['row_no', 'lead_id', 'outcome', 'expected', 'result'])
    .select(sql<string[] | null>`cells`.as('cells'))
    .orderBy('row_no')

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number]

const columnsFor = (header: readonly string[]): Column<Row>[] => [
  number('Renglón', (row) => row.row_no),
  ...header.map((name, index) => text<Row>(name, (row) => row.cells?.[index])),
  number('Lead', (row) => row.lead_id),
  text(
    'Veredicto',
    ({ outcome, result }) => outcome && outcomeLabel(outcome as ImportOutcome, result as ImportResult | null),
  ),
  money(amountHead('Monto'), (row) => row.expected),
  text('Resultado', (row) => row.result && importResultLabels[row.result as ImportResult]),
]

/** The file that was sent, each row with what would come or came of it: what an issuer gets back. */
export async function importRowSheet(
  db: Db,
  viewer: ImportReader,
  id: number,
  filters: ImportRowFilters,
): Promise<Sheet<Row>> {
  const { header } = await getImport(db, viewer, id)
  return {
    ...{ file: `conciliacion-${id}`, title: 'Conciliación', entity: 'import', entityId: id },
    columns: columnsFor(header),
    select: (tx) => rowsOf(tx, id, filters),
  }
}

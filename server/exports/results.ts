import type { ResultExport } from '#contract/exports.ts'
import { resultKindLabels } from '#contract/results.ts'
import { percentOf } from '../percent.ts'
import { listedResults, type Row } from '../results/queries.ts'
import type { Reader } from '../viewer.ts'
import { type Column, day, money, number, text } from './cells.ts'
import type { Sheet } from './export.ts'
import { amountHead } from './payments.ts'

const columnsFor = ({ by, dimension }: ResultExport): Column<Row>[] => [
  ...(by === 'day' ? [day<Row>('Día', (result) => result.day)] : []),
  text(dimension, (result) => (result.kind === 'value' ? result.value : resultKindLabels[result.kind])),
  number('Leads', (result) => result.leads),
  number('Aprobados', (result) => result.approved),
  number('Rechazados', (result) => result.rejected),
  money('Aprobación (%)', (result) => percentOf(result.approved, result.leads).toFixed(2)),
  money(amountHead('Ganado'), (result) => result.earned),
]

export const resultSheet = (viewer: Reader, filters: ResultExport): Sheet<Row> => ({
  file: 'resultados',
  title: 'Resultados',
  entity: 'report',
  omits: ['search'],
  columns: columnsFor(filters),
  select: (tx) => listedResults(tx, viewer, filters),
})

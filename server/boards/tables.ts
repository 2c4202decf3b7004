import { Readable } from 'node:stream'
import {
  type Cohort,
  type ComparedRow,
  type FunnelStep,
  type Pair,
  type ReportDay,
  type ReportFilters,
  type ReportTable,
  type States,
  stepName,
} from '#contract/boards.ts'
import { mediaTypes } from '#contract/exports.ts'
import { dateInMexico } from '#contract/time.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { type Column, day, money, number, text } from '../exports/cells.ts'
import { csvOf } from '../exports/csv.ts'
import { amountHead } from '../exports/payments.ts'
import { forbidden, invalid } from '../http/errors.ts'
import type { FileAnswer } from '../http/streams.ts'
import { inSnapshot } from '../snapshot.ts'
import type { Reader } from '../viewer.ts'
import { reportCommissions } from './commissions.ts'
import { reportFunnel } from './funnel.ts'
import { reportNetwork } from './network.ts'
import { reportPerformance } from './performance.ts'

const commissionHead = amountHead('Comisión')

const dayColumns: Column<ReportDay>[] = [
  day('Día', (row) => row.day),
  number('Leads', (row) => row.leads),
  number('Conversiones', (row) => row.conversions),
  money(commissionHead, (row) => row.commission),
  day('Día del periodo anterior', (row) => row.previous?.day),
  number('Leads del periodo anterior', (row) => row.previous?.leads),
  number('Conversiones del periodo anterior', (row) => row.previous?.conversions),
  money(`${commissionHead}, periodo anterior`, (row) => row.previous?.commission),
]

const comparedColumns = (name: string): Column<ComparedRow>[] => [
  number('ID', (row) => row.id),
  text(name, (row) => row.name),
  number('Leads', (row) => row.leads),
  number('Conversiones', (row) => row.conversions),
  number('Tasa de conversión (%)', (row) => row.conversion_rate),
  money(commissionHead, (row) => row.commission),
  number('Leads de los días completos', (row) => row.compared.leads),
  number('Conversiones de los días completos', (row) => row.compared.conversions),
  money(`${commissionHead}, días completos`, (row) => row.compared.commission),
  number('Leads del periodo anterior', (row) => row.previous.leads),
  number('Conversiones del periodo anterior', (row) => row.previous.conversions),
  money(`${commissionHead}, periodo anterior`, (row) => row.previous.commission),
]

const stateColumns: Column<States>[] = [
  money(amountHead('Devengada'), (row) => row.accrued),
  money(amountHead('En pago'), (row) => row.in_payment),
  money(amountHead('Pagada'), (row) => row.paid),
  money(amountHead('Total ganado'), (row) => row.earned),
  money(amountHead('Revertida'), (row) => row.reversed),
]

const stateDayColumns: Column<States & { day: string }>[] = [day('Día', (row) => row.day), ...stateColumns]

const stepColumns: Column<FunnelStep>[] = [
  text('Paso', stepName),
  text('Tipo de evento', (row) => row.event_type_name),
  number('Leads que llegaron', (row) => row.reached),
  number('Del total (%)', (row) => row.share),
  number('Se perdieron', (row) => row.lost),
  number('Se perdieron (%)', (row) => row.lost_share),
  number('Llegaron en el periodo', (row) => row.events),
]

const cohortColumns: Column<Cohort>[] = [
  day('Clics desde', (row) => row.from),
  day('Clics hasta', (row) => row.to),
  number('Leads', (row) => row.leads),
  number('Llegaron al paso de aprobación', (row) => row.approved),
  number('Tasa de aprobación (%)', (row) => row.approval_rate),
  text('Madurez', (row) => (row.is_young ? 'Aún puede subir' : 'Madura')),
]

const pairColumns: Column<Pair>[] = [
  number('ID del emisor', (row) => row.issuer_id),
  text('Emisor', (row) => row.issuer_name),
  number('ID del afiliado', (row) => row.affiliate_id),
  text('Afiliado', (row) => row.affiliate_name),
  number('Leads', (row) => row.leads),
  number('Conversiones', (row) => row.conversions),
  number('Tasa de conversión (%)', (row) => row.conversion_rate),
  money(commissionHead, (row) => row.commission),
]

/** One table of a report, as the screen shows it. */
export async function exportTable(
  db: Db,
  viewer: Reader,
  table: ReportTable,
  filters: ReportFilters,
): Promise<FileAnswer> {
  const lines = await inSnapshot(db, (tx) => linesOf(tx, viewer, table, filters))
  const name = `afluente-${table}-${dateInMexico()}.csv`
  await db
    .transaction()
    .execute((tx) =>
      audit(tx, viewer, { action: 'export', entity: 'report', entityId: null, label: name, after: filters }),
    )
  return { name, type: mediaTypes.csv, body: Readable.from(lines) }
}

async function linesOf(db: Tx, viewer: Reader, table: ReportTable, filters: ReportFilters): Promise<Lines> {
  switch (table) {
    case 'rendimiento-dias':
      return lines(dayColumns, (await reportPerformance(db, viewer, filters)).days)
    case 'rendimiento-productos':
      return lines(comparedColumns('Producto'), (await reportPerformance(db, viewer, filters)).products)
    case 'rendimiento-emisores':
      return lines(comparedColumns('Emisor'), (await reportPerformance(db, viewer, filters)).issuers)
    case 'rendimiento-afiliados':
      return lines(comparedColumns('Afiliado'), (await reportPerformance(db, viewer, filters)).affiliates)
    case 'comisiones-dias':
      return lines(stateDayColumns, (await reportCommissions(db, viewer, filters)).days)
    case 'comisiones-productos':
      return lines(statesOf('Producto'), (await reportCommissions(db, viewer, filters)).products)
    case 'comisiones-emisores':
      return lines(statesOf('Emisor'), (await reportCommissions(db, viewer, filters)).issuers)
    case 'comisiones-afiliados':
      return lines(statesOf('Afiliado'), (await reportCommissions(db, viewer, filters)).affiliates)
    case 'embudo-pasos':
      return lines(stepColumns, (await funnelOf(db, viewer, filters)).steps)
    case 'embudo-cosechas':
      return lines(cohortColumns, (await funnelOf(db, viewer, filters)).cohorts)
    case 'red-parejas':
      if (viewer.role !== 'admin') throw forbidden()
      return lines(pairColumns, (await reportNetwork(db, viewer, filters)).pairs)
  }
}

type Lines = AsyncGenerator<string>

const lines = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Lines => csvOf(columns, once(rows))

async function* once<Row>(rows: readonly Row[]) {
  yield rows
}

const statesOf = (name: string): Column<States & { id: number; name: string }>[] => [
  number('ID', (row) => row.id),
  text(name, (row) => row.name),
  ...stateColumns,
]

function funnelOf(db: Tx, viewer: Reader, { product_id, ...filters }: ReportFilters) {
  if (product_id === undefined) throw invalid('product_id', 'Debe seleccionar un producto')
  return reportFunnel(db, viewer, { ...filters, product_id })
}

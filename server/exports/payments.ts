import { sql } from 'kysely'
import { type EntryState, entryStateLabels } from '#contract/commission-entries.ts'
import { BEFORE_TAXES, type PaymentExport } from '#contract/exports.ts'
import { LATER_CHANGE, laterChangeOf } from '#contract/payment-texts.ts'
import { type PaymentStatus, paymentStatusLabels } from '#contract/payments.ts'
import type { Tx } from '#db/connect.ts'
import { everyWord } from '../http/lists.ts'
import { linesOfPayment } from '../ledger/lines.ts'
import { adjustmentOf, filteredPayments, getPayment } from '../payments/queries.ts'
import { percentOf } from '../percent.ts'
import type { Reader } from '../viewer.ts'
import { type Column, day, moment, money, number, text } from './cells.ts'
import { isChosen } from './chosen.ts'
import type { Sheet } from './export.ts'

/** 'Monto (MXN, antes de IVA y retenciones)' */
export const amountHead = (name: string): string => `${name} (MXN, ${BEFORE_TAXES.replace('Montos ', '')})`

/** An issuer's screen searches affiliates alone: its own name is in none of its rows. */
function rowsOf(tx: Tx, viewer: Reader, { year, month, search, ids, ...filters }: PaymentExport) {
  let rows = filteredPayments(tx, viewer, filters).where(isChosen('payment.id', { ids }))
  const names = viewer.role === 'issuer' ? ['affiliate'] : ['affiliate', 'issuer']
  if (search)
    rows = rows.where(
      everyWord(
        search,
        names.map((name) => sql.ref(`${name}.company_name`)),
      ),
    )
  if (year) rows = rows.where(sql`extract(year from payment.period_start)`, '=', Number(year))
  if (month) rows = rows.where(sql`extract(month from payment.period_start)`, '=', Number(month))
  return rows
}

/** A cancelled payment let its commissions go and did not lose them. */
const changeOf = (payment: Payment): string =>
  payment.payment_status === 'cancelled' ? '0.00' : laterChangeOf(payment)

type Payment = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number]

const paymentColumns = ({ role }: Reader): Column<Payment>[] => [
  number('ID', (payment) => payment.id),
  ...(role === 'issuer' ? [] : [text<Payment>('Emisor', (payment) => payment.issuer_name)]),
  ...(role === 'affiliate' ? [] : [text<Payment>('Afiliado', (payment) => payment.affiliate_name)]),
  day('Inicio del periodo', (payment) => payment.period_start),
  day('Fin del periodo', (payment) => payment.period_end),
  number('Días', (payment) => payment.period_duration_days),
  number('Leads', (payment) => payment.total_leads),
  number('Conversiones', (payment) => payment.total_conversions),
  money('Tasa de conversión (%)', (payment) => percentOf(payment.total_conversions, payment.total_leads).toFixed(2)),
  money(amountHead('Monto total'), (payment) => payment.total_amount),
  money(amountHead('En comisiones'), (payment) => payment.entries_amount),
  money(amountHead(LATER_CHANGE), changeOf),
  money(amountHead('Ajuste'), adjustmentOf),
  text('Motivo del ajuste', (payment) => payment.adjustment_reason),
  text('Estado', (payment) => paymentStatusLabels[payment.payment_status as PaymentStatus]),
  text('Motivo de la cancelación', (payment) => payment.cancel_reason),
  day('Fecha de pago', (payment) => payment.payment_date),
  text('Notas', (payment) => payment.notes),
  moment('Creado', (payment) => payment.created_at),
  moment('Actualizado', (payment) => payment.updated_at),
]

export const paymentSheet = (viewer: Reader, filters: PaymentExport): Sheet<Payment> => ({
  file: 'pagos',
  title: 'Pagos',
  entity: 'payment',
  columns: paymentColumns(viewer),
  withoutLeads: true,
  select: (tx) => rowsOf(tx, viewer, filters),
})

type Entry = Awaited<ReturnType<ReturnType<typeof linesOfPayment>['execute']>>[number]

const entryColumns: Column<Entry>[] = [
  number('ID', (entry) => entry.id),
  number('Lead', (entry) => entry.lead_id),
  text('Tracking ID', (entry) => entry.tracking_id),
  text('External ID', (entry) => entry.external_id),
  text('Producto', (entry) => entry.product_name),
  text('Paso', (entry) => entry.step_name),
  moment('Fecha', (entry) => entry.earned_at),
  text('Estado', (entry) => entryStateLabels[entry.state as EntryState]),
  text('Motivo', (entry) => entry.reason),
  money(amountHead('Monto'), (entry) => entry.amount),
]

export const paymentEntrySheet = (viewer: Reader, id: number): Sheet<Entry> => ({
  file: `pago-${id}-comisiones`,
  title: 'Comisiones del pago',
  entity: 'payment',
  entityId: id,
  columns: entryColumns,
  select: async (tx) => {
    await getPayment(tx, viewer, id)
    return linesOfPayment(tx, id)
  },
})

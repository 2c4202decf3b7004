import {
  type EntryFilters,
  type EntryState,
  entryStateLabels,
  type OwnEntry,
  waitsFor,
} from '#contract/commission-entries.ts'
import { dayFirst } from '#contract/time.ts'
import { type EntryViewer, filteredEntries } from '../ledger/own-entries.ts'
import { type Column, day, moment, money, number, text } from './cells.ts'
import type { Sheet } from './export.ts'
import { amountHead } from './payments.ts'

type Entry = Awaited<ReturnType<ReturnType<typeof filteredEntries>['execute']>>[number]

const columns: Column<Entry>[] = [
  number('ID', (entry) => entry.id),
  number('Lead', (entry) => entry.lead_id),
  text('Tracking ID', (entry) => entry.tracking_id),
  text('External ID', (entry) => entry.external_id),
  text('Emisor', (entry) => entry.issuer_name),
  text('Producto', (entry) => entry.product_name),
  text('Paso', (entry) => entry.step_name),
  moment('Fecha', (entry) => entry.earned_at),
  text('Estado', (entry) => entryStateLabels[entry.state as EntryState]),
  number('Pago', (entry) => entry.payment_id),
  day('Fecha de pago', (entry) => entry.payment_date),
  text('Qué espera', (entry) => waitsFor(entry as OwnEntry, dayFirst)),
  money(amountHead('Monto'), (entry) => entry.amount),
]

export const entrySheet = (viewer: EntryViewer, filters: EntryFilters): Sheet<Entry> => ({
  file: 'mis-comisiones',
  title: 'Mis comisiones',
  entity: 'commission_entry',
  columns,
  select: (tx) => filteredEntries(tx, viewer, filters),
})

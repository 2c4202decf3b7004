import { sql } from 'kysely'
import type { CommissionFilters } from '#contract/commissions.ts'
import type { EventStepExport } from '#contract/exports.ts'
import { type Status, statusLabels } from '#contract/fields.ts'
import type { ProductFilters } from '#contract/products.ts'
import type { Tx } from '#db/connect.ts'
import type { Links } from '../clicks/links.ts'
import { type CommissionReader, filteredCommissions } from '../commissions/queries.ts'
import { filteredSteps } from '../event-steps/queries.ts'
import { everyWord } from '../http/lists.ts'
import { filteredProducts, toProduct } from '../products/queries.ts'
import type { Reader } from '../viewer.ts'
import { type Column, moment, money, number, text } from './cells.ts'
import { type Chosen, isChosen } from './chosen.ts'
import type { Sheet } from './export.ts'
import { amountHead } from './payments.ts'

type Rows<F extends (...args: never[]) => { execute: () => Promise<unknown[]> }> = Awaited<
  ReturnType<ReturnType<F>['execute']>
>[number]
/** An issuer's screen searches ids too, and its own name is in none of its rows. */
function productRows(tx: Tx, viewer: Reader, { search, ids, ...filters }: ProductFilters & Chosen) {
  const rows = filteredProducts(tx, viewer, filters).where(isChosen('product.id', { ids }))
  if (!search) return rows
  const texts = [sql.ref<string>('product.name'), sql.ref<string>('product.description')]
  const more = viewer.role === 'issuer' ? sql<string>`product.id::text` : sql.ref<string>('issuer.company_name')
  return rows.where(everyWord(search, [...texts, more]))
}

type Product = Rows<typeof productRows>

/** What `toProduct` leaves out for the viewer stays out here. */
const productColumns = ({ role }: Reader, links: Links): Column<Product>[] => [
  number('ID', (product) => product.id),
  ...(role === 'issuer' ? [] : [text<Product>('Emisor', (product) => product.issuer_name)]),
  text('Nombre', (product) => product.name),
  text('Descripción', (product) => product.description),
  role === 'affiliate'
    ? text('URL de Tracking', (product) => toProduct(product, links).tracking_url)
    : text('URL de redirección', (product) => toProduct(product, links).redirect_url),
  ...(role === 'affiliate' ? [money<Product>(amountHead('Comisión'), (product) => product.pay?.payout ?? null)] : []),
  text('Estado', (product) => statusLabels[product.product_status as Status]),
  moment('Fecha de creación', (product) => product.created_at),
]

export const productSheet = (viewer: Reader, links: Links, filters: ProductFilters & Chosen): Sheet<Product> => ({
  file: 'productos',
  title: 'Productos',
  entity: 'product',
  columns: productColumns(viewer, links),
  withoutLeads: true,
  select: (tx) => productRows(tx, viewer, filters),
})

function stepRows(tx: Tx, viewer: Reader, { search, ids, ...filters }: EventStepExport) {
  const rows = filteredSteps(tx, viewer, filters).where(isChosen('event_step.id', { ids }))
  const own = ['event_step.name', 'event_type.name']
  const searched = viewer.role === 'admin' ? [...own, 'product.name', 'product.issuer_name'] : own
  return search
    ? rows.where(
        everyWord(
          search,
          searched.map((field) => sql.ref(field)),
        ),
      )
    : rows
}

type Step = Rows<typeof stepRows>

const stepColumns: Column<Step>[] = [
  number('ID', (step) => step.id),
  text('Emisor', (step) => step.issuer_name),
  text('Producto', (step) => step.product_name),
  number('Orden', (step) => step.step_order),
  text('Nombre', (step) => step.name),
  text('Tipo de evento', (step) => step.event_type_name),
  text('Genera comisión', (step) => (step.is_payout_event ? 'Sí' : 'No')),
  text('Descripción', (step) => step.description),
  moment('Fecha de creación', (step) => step.created_at),
]

export const eventStepSheet = (viewer: Reader, filters: EventStepExport): Sheet<Step> => ({
  file: 'eventos',
  title: 'Eventos',
  entity: 'event_step',
  columns: stepColumns,
  withoutLeads: true,
  select: (tx) => stepRows(tx, viewer, filters),
})

type Commission = Rows<typeof filteredCommissions>

const commissionColumns: Column<Commission>[] = [
  number('ID', (commission) => commission.id),
  text('Nombre', (commission) => commission.name),
  text('Emisor', (commission) => commission.issuer_name),
  text('Producto', (commission) => commission.product_name),
  text('Afiliado', (commission) => commission.affiliate_name),
  money(amountHead('Comisión'), (commission) => commission.payout),
  text('Descripción', (commission) => commission.description),
  moment('Fecha de creación', (commission) => commission.created_at),
]

export const commissionSheet = (viewer: CommissionReader, filters: CommissionFilters & Chosen): Sheet<Commission> => ({
  file: 'comisiones',
  title: 'Comisiones',
  entity: 'commission',
  columns: commissionColumns,
  withoutLeads: true,
  select: (tx) => filteredCommissions(tx, viewer, filters).where(isChosen('commission.id', filters)),
})

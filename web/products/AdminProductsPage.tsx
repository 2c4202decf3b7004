import { useQuery } from '@tanstack/react-query'
import { Info, Package, Plus } from 'lucide-react'
import { useCallback, useState } from 'react'
import { exports } from '#contract/exports.ts'
import { type Product, products } from '#contract/products.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { issuerOptionsQuery } from '#web/issuers/queries.ts'
import { Page } from '#web/shell/Page.tsx'
import { type Column, deleteAction, editAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { FilterBar } from '#web/table/FilterBar.tsx'
import { IdFilter } from '#web/table/IdFilter.tsx'
import { SearchField } from '#web/table/SearchField.tsx'
import { type StatusChange, statusActions } from '#web/table/status-actions.ts'
import { useSelection } from '#web/table/use-selection.ts'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Button } from '#web/ui/Button.tsx'
import { Company } from '#web/ui/Company.tsx'
import { Copyable } from '#web/ui/CopyButton.tsx'
import { LongDay } from '#web/ui/dates.tsx'
import { counted } from '#web/ui/format.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { matches } from '#web/ui/matches.ts'
import { RemoveDialog } from '#web/ui/RemoveDialog.tsx'
import { nameColumn } from './columns.tsx'
import { productName, productNouns } from './names.ts'
import { productsQuery, useRemoveProduct } from './queries.ts'

const ProductCreateDialog = laterDialog(async () => (await import('./ProductDialogs.tsx')).ProductCreateDialog)
const ProductEditDialog = laterDialog(async () => (await import('./ProductDialogs.tsx')).ProductEditDialog)
const ProductStatusDialog = laterDialog(async () => (await import('./ProductStatusDialog.tsx')).ProductStatusDialog)

const columns: Column<Product>[] = [
  {
    header: 'ID',
    cell: (product) => <CopyableId id={product.id} />,
    sort: (product) => product.id,
  },
  {
    header: 'Emisor',
    cell: (product) => <Company name={product.issuer_name} />,
    sort: (product) => product.issuer_name,
    card: 'meta',
  },
  nameColumn('inactive'),
  { header: 'Descripción', cell: (product) => product.description, width: 'max-w-48' },
  {
    header: 'Fecha de Creación',
    cell: (product) => <LongDay value={product.created_at} />,
    sort: (product) => product.created_at,
    secondary: true,
  },
]

const CopyableId = ({ id }: { id: number }) => (
  <Copyable text={String(id)} label={`Copiar ID ${id}`} copied="ID copiado" failed="Error al copiar la información" />
)

const NO_FILTERS = { q: '', emisor: '' }

type Open =
  | { kind: 'create' }
  | { kind: 'edit' | 'delete'; product: Product }
  | { kind: 'status'; changed: StatusChange<Product> }

export default function AdminProductsPage() {
  const [open, setOpen] = useState<Open>()
  const list = useQuery(productsQuery())
  const issuers = useQuery(issuerOptionsQuery())
  const { filters, change, clear, count, active } = useUrlFilters(NO_FILTERS)
  const selection = useSelection()
  const refuse = useRefusal()
  const close = () => setOpen(undefined)
  const shown = useCallback(
    (product: Product) =>
      (filters.emisor === '' || product.issuer === Number(filters.emisor)) && matches(filters.q, [product.name]),
    [filters],
  )
  const found = list.data && counted(list.data.filter(shown).length, 'producto', 'productos')
  const create = (
    <Button
      variant="primary"
      icon={Plus}
      onClick={() => setOpen({ kind: 'create' })}
      disabledReason={refuse(products.create)}
    >
      Nuevo Producto
    </Button>
  )
  return (
    <Page
      title="Productos"
      description="Lo que los emisores ofrecen y los afiliados promueven."
      count={found}
      action={
        <>
          <ExportMenu of={exports.products} query={{ name: filters.q, issuer_id: filters.emisor }} />
          {create}
        </>
      }
      filters={
        <FilterBar
          search={<SearchField value={filters.q} onChange={(q) => change({ q })} placeholder="Buscar por nombre..." />}
          count={count}
          onClear={clear}
          found={found}
        >
          <IdFilter
            label="Filtrar por emisor"
            all="Todos los emisores"
            options={issuers.data}
            value={filters.emisor}
            onChange={(emisor) => change({ emisor })}
            className="w-full sm:w-64"
          />
        </FilterBar>
      }
    >
      <PlaceholderBanner />
      <DataTable
        query={list}
        columns={columns}
        own
        filter={active ? shown : undefined}
        selects={{
          selection,
          nouns: productNouns,
          name: productName,
          exports: exports.products,
          actions: statusActions<Product>(
            (changed) => setOpen({ kind: 'status', changed }),
            refuse(products.setStatus),
          ),
        }}
        loading="Cargando productos..."
        errorText="Error al cargar los productos"
        empty="No se encontraron productos en el sistema"
        emptyHint="Crea el primero: necesitas un emisor y la dirección a la que lleva el clic."
        emptyIcon={Package}
        emptyAction={create}
        emptySearch="No se encontraron resultados para la búsqueda"
        actions={(product) => [
          editAction(() => setOpen({ kind: 'edit', product }), { label: `Editar ${product.name}` }),
          deleteAction(() => setOpen({ kind: 'delete', product }), {
            label: `Eliminar ${product.name}`,
            disabledReason: refuse(products.remove),
          }),
        ]}
        actionsOf={({ name }) => `de ${name}`}
      />
      {open?.kind === 'create' && <ProductCreateDialog onClose={close} />}
      {open?.kind === 'edit' && <ProductEditDialog product={open.product} onClose={close} />}
      {open?.kind === 'status' && <ProductStatusDialog {...open.changed} selection={selection} onClose={close} />}
      {open?.kind === 'delete' && <ProductRemoveDialog product={open.product} onClose={close} />}
    </Page>
  )
}

const PlaceholderBanner = () => (
  <p className="mb-4 flex gap-2.5 rounded-xl border border-info-soft bg-info-soft px-4 py-3 text-info-ink">
    <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
    <span>
      La URL de redirección debe incluir <code className="font-semibold">{'{tracking_id}'}</code>: el sistema lo
      reemplaza en cada clic para seguir las conversiones.
    </span>
  </p>
)

const ProductRemoveDialog = ({ product, onClose }: { product: Product; onClose: () => void }) => (
  <RemoveDialog remove={useRemoveProduct()} id={product.id} onClose={onClose}>
    Se eliminará el producto <strong className="text-ink">{product.name}</strong> de{' '}
    <strong className="text-ink">{product.issuer_name}</strong>. Esta acción no se puede deshacer: sus enlaces dejarán
    de funcionar y sus pasos y comisiones se irán con él. Los leads y los pagos se conservan.
  </RemoveDialog>
)

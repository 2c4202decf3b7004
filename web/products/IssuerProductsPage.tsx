import { useQuery } from '@tanstack/react-query'
import { Info, Package } from 'lucide-react'
import { useCallback, useState } from 'react'
import { exports } from '#contract/exports.ts'
import type { Product } from '#contract/products.ts'
import { Page } from '#web/shell/Page.tsx'
import { type Column, viewAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { SearchField } from '#web/table/SearchField.tsx'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Button } from '#web/ui/Button.tsx'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { LongDay } from '#web/ui/dates.tsx'
import { counted, INVALID_DATE } from '#web/ui/format.ts'
import { matches } from '#web/ui/matches.ts'
import { idColumn, nameColumn, StatusBadge } from './columns.tsx'
import { productsQuery } from './queries.ts'

const columns: Column<Product>[] = [
  idColumn,
  nameColumn('inactive'),
  { header: 'Descripción', cell: (product) => product.description, width: 'max-w-96', card: 'meta' },
  {
    header: 'Fecha de Creación',
    cell: (product) => <LongDay value={product.created_at} invalid={INVALID_DATE} />,
    sort: (product) => product.created_at,
  },
]

const NO_FILTERS = { q: '' }

export default function IssuerProductsPage() {
  const [open, setOpen] = useState<Product>()
  const list = useQuery(productsQuery())
  const { filters, change, active } = useUrlFilters(NO_FILTERS)
  const shown = useCallback(
    (product: Product) => matches(filters.q, [product.id, product.name, product.description]),
    [filters],
  )
  return (
    <Page
      title="Productos"
      description="Lo que tus afiliados promueven. El administrador los da de alta y los cambia."
      count={list.data && counted(list.data.filter(shown).length, 'producto', 'productos')}
      action={<ExportMenu of={exports.products} query={{ search: filters.q }} />}
      filters={
        <SearchField
          value={filters.q}
          onChange={(q) => change({ q })}
          placeholder="Buscar por ID, nombre o descripción..."
        />
      }
    >
      <TrackingNotice />
      <DataTable
        query={list}
        columns={columns}
        own
        filter={active ? shown : undefined}
        loading="Cargando productos..."
        errorText="Error al cargar los productos"
        empty="No se encontraron productos"
        emptyHint="El administrador da de alta tus productos."
        emptyIcon={Package}
        emptySearch="No se encontraron productos"
        actions={(product) => [viewAction(() => setOpen(product), { label: `Ver ${product.name}` })]}
      />
      {open && <ProductDialog product={open} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}

const TrackingNotice = () => (
  <aside
    aria-label="URL de redirección"
    className="mb-4 flex gap-2.5 rounded-xl border border-info-soft bg-info-soft px-4 py-3 text-info-ink"
  >
    <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
    <div className="min-w-0">
      <p>
        La URL de redirección debe contener <code className="font-semibold">{'{tracking_id}'}</code>: el sistema lo
        reemplaza en cada clic para rastrear las conversiones.
      </p>
      <p className="mt-1">
        Ejemplo: <code className="break-all">https://www.tuempresa.com.mx/solicitud?ref={'{tracking_id}'}</code>
      </p>
    </div>
  </aside>
)

const ProductDialog = ({ product, onClose }: { product: Product; onClose: () => void }) => (
  <Dialog title={product.name} size="lg" onClose={onClose} footer={<Button onClick={onClose}>Cerrar</Button>}>
    <Facts className="pt-2">
      <Fact label="ID">
        <Copied label="ID" text={String(product.id)} />
      </Fact>
      <Fact label="Fecha de Creación">
        <LongDay value={product.created_at} />
      </Fact>
      <Fact label="Nombre" wide>
        <Copied label="nombre" text={product.name} />
      </Fact>
      <Fact label="Descripción" wide>
        <span className="whitespace-pre-line">{product.description || 'Sin descripción disponible'}</span>
      </Fact>
      <Fact label="Estado">
        <StatusBadge product={product} />
      </Fact>
      {product.issuer_name && <Fact label="Emisor">{product.issuer_name}</Fact>}
      {product.relationship_id && <Fact label="ID de Relación">{product.relationship_id}</Fact>}
      {product.redirect_url && (
        <Fact label="URL de Redirección" wide>
          <Copied label="URL de redirección" text={product.redirect_url} code />
        </Fact>
      )}
    </Facts>
  </Dialog>
)

/** Shown whole, however long, with its copy button beside the first line. */
const Copied = ({ label, text, code = false }: { label: string; text: string; code?: boolean }) => (
  <span className="flex items-start gap-1">
    <span className={code ? 'min-w-0 py-0.5 font-mono text-xs leading-6 break-all' : 'min-w-0 py-[3px] break-words'}>
      {text}
    </span>
    <CopyButton
      text={text}
      label={`Copiar ${label}`}
      copied="Información copiada al portapapeles"
      failed="Error al copiar la información"
    />
  </span>
)

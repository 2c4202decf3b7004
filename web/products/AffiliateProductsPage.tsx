import { useQuery } from '@tanstack/react-query'
import { Link2, Package } from 'lucide-react'
import { useMemo, useState } from 'react'
import { exports } from '#contract/exports.ts'
import type { Product } from '#contract/products.ts'
import { EXTERNAL_ID_PLACEHOLDER, withParams } from '#contract/tracking.ts'
import { Page } from '#web/shell/Page.tsx'
import { type Column, viewAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Combobox } from '#web/ui/Combobox.tsx'
import { Company } from '#web/ui/Company.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { counted } from '#web/ui/format.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { Money } from '#web/ui/Money.tsx'
import { optionsByName } from '#web/ui/option.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import type { LinkValues } from './AffiliateProductDialog.tsx'
import { idColumn, nameColumn } from './columns.tsx'
import { LinkFaults } from './LinkFaults.tsx'
import { OwnCommission } from './OwnCommission.tsx'
import { productsQuery } from './queries.ts'

const AffiliateProductDialog = laterDialog(
  async () => (await import('./AffiliateProductDialog.tsx')).AffiliateProductDialog,
)

const SHOWN_CHARACTERS = 40

/** The same wherever it is shown or copied. */
const baseUrl = ({ tracking_url }: Product): string =>
  tracking_url ? withParams(tracking_url, { external_id: EXTERNAL_ID_PLACEHOLDER }) : ''

const shorten = (url: string): string => (url.length > SHOWN_CHARACTERS ? `${url.slice(0, SHOWN_CHARACTERS)}...` : url)

const CopyUrl = ({ of: product }: { of: Product }) => (
  <CopyButton
    text={baseUrl(product)}
    label={`Copiar URL de ${product.name}`}
    copied="URL copiada al portapapeles"
    failed="Error al copiar la URL"
  />
)

const columns: Column<Product>[] = [
  idColumn,
  {
    header: 'Emisor',
    cell: (product) => <Company name={product.issuer_name} />,
    sort: (product) => product.issuer_name,
    card: 'meta',
  },
  nameColumn('always'),
  {
    header: 'URL de Tracking',
    cell: (product) => (
      <span className="inline-flex max-w-full items-center gap-1">
        <code className="truncate text-xs middling:max-w-44 roomy:min-w-[43ch]">{shorten(baseUrl(product))}</code>
        <CopyUrl of={product} />
      </span>
    ),
    title: baseUrl,
    width: 'max-w-80 roomy:max-w-100',
    card: 'chip',
    brief: (product) => <CopyUrl of={product} />,
  },
  {
    header: 'Comisión',
    cell: (product) => <OwnCommission of={product.commission} />,
    sort: (product) => (product.commission ? Number(product.commission.payout) : -1),
    card: 'amount',
    brief: (product) => <Money value={product.commission?.payout} missing="Sin comisión" />,
  },
]

const NO_FILTERS = { emisor: '' }

export default function AffiliateProductsPage() {
  const [open, setOpen] = useState<Product>()
  const [values, setValues] = useState<LinkValues>({})
  const [valuesOf, setValuesOf] = useState<number>()
  const view = (product: Product) => {
    // A campaign is often of several products; whoever is meant by the reference is not.
    if (product.id !== valuesOf) setValues(({ external_id: _, ...campaign }) => campaign)
    setValuesOf(product.id)
    setOpen(product)
  }
  const list = useQuery(productsQuery())
  const { filters, change } = useUrlFilters(NO_FILTERS)
  const issuers = useMemo(
    () => optionsByName((list.data ?? []).map((product) => [product.issuer, product.issuer_name])),
    [list.data],
  )
  // Without a choice the first issuer stands for one (specification section 2).
  const chosen = issuers.find(({ value }) => String(value) === filters.emisor)?.value ?? issuers[0]?.value
  const rows = useMemo(() => list.data?.filter((product) => product.issuer === chosen), [list.data, chosen])
  return (
    <Page
      title="Productos"
      description="Lo que puedes promover y el enlace con el que lo haces."
      action={<ExportMenu of={exports.products} query={{ issuer_id: chosen }} />}
      filters={
        list.data === undefined && !list.isError ? (
          <FilterSkeleton />
        ) : (
          issuers.length > 0 && (
            <>
              <Combobox
                aria-label="Emisor"
                options={issuers}
                value={chosen ?? null}
                onChange={(id) => change({ emisor: id === null ? '' : String(id) })}
                className="w-full sm:w-72"
              />
              <span className="text-muted tabular-nums">{counted(rows?.length ?? 0, 'producto', 'productos')}</span>
            </>
          )
        )
      }
    >
      <LinkFaults issuer={chosen} />
      <TrackingHelp />
      <DataTable
        query={{ ...list, data: rows }}
        columns={columns}
        own
        loading="Cargando productos..."
        errorText="Error al cargar los productos"
        empty="No hay productos disponibles"
        emptyHint="Aquí están los productos de los emisores con los que tienes una relación activa. Si falta alguno, contacta al administrador."
        emptyIcon={Package}
        actions={(product) => [viewAction(() => view(product), { label: `Ver ${product.name}` })]}
      />
      {open && (
        <AffiliateProductDialog
          product={open}
          base={baseUrl(open)}
          values={values}
          onValues={setValues}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Page>
  )
}

const FilterSkeleton = () => (
  <>
    <Skeleton className="h-9 w-full sm:w-72" />
    <span className="flex h-lh items-center">
      <Skeleton className="w-20" />
    </span>
  </>
)

const TrackingHelp = () => (
  <aside aria-label="Tu URL de tracking" className="mb-4 rounded-xl border bg-surface px-5 py-4 shadow-card">
    <h2 className="flex items-center gap-2 font-semibold">
      <Link2 aria-hidden className="size-4 text-brand" />
      Tu URL de tracking
    </h2>
    <p className="mt-1 text-muted">
      Cada clic en ella se registra como un lead tuyo y lleva a la persona al sitio del emisor.
    </p>
    <dl className="mt-3 grid gap-x-8 gap-y-2 text-muted lg:grid-cols-3">
      <Variables title="Variables automáticas" names={['relationship_id', 'product_id']}>
        Ya vienen en la URL; no las cambies.
      </Variables>
      <Variables title="Variable personalizable" names={['external_id']}>
        Tu propia referencia del clic o de la persona.
      </Variables>
      <Variables
        title="Parámetros opcionales"
        names={['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content']}
      >
        Para saber de dónde vino cada clic.
      </Variables>
    </dl>
  </aside>
)

const Variables = ({ title, names, children }: { title: string; names: string[]; children: string }) => (
  <div>
    <dt className="font-medium text-ink">{title}</dt>
    <dd className="mt-1">
      <span className="flex flex-wrap gap-1.5">
        {names.map((name) => (
          <code key={name} className="rounded bg-sunken px-1.5 py-0.5 text-xs text-ink">
            {name}
          </code>
        ))}
      </span>
      <span className="mt-1 block">{children}</span>
    </dd>
  </div>
)

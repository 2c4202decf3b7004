import { useQuery } from '@tanstack/react-query'
import { CircleHelp, Coins } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import {
  entryStateLabels,
  type OwnEntry,
  type OwnEntryPage,
  standingLabels,
  waitsFor,
} from '#contract/commission-entries.ts'
import { exports } from '#contract/exports.ts'
import { ExplainSearch } from '#web/explain/ExplainSearch.tsx'
import { paths, rowParams } from '#web/paths.ts'
import { productOptionsQuery } from '#web/products/queries.ts'
import { Page } from '#web/shell/Page.tsx'
import { EntryBadge } from '#web/states/StateBadges.tsx'
import { isDay, isId, isOneOf, pageOf } from '#web/table/address.ts'
import type { Column } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { DayRangeFilter } from '#web/table/DayFilter.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { FilterBar } from '#web/table/FilterBar.tsx'
import { IdFilter } from '#web/table/IdFilter.tsx'
import { PagesFooter } from '#web/table/TableFooter.tsx'
import { useShownPage } from '#web/table/use-shown-page.ts'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Day } from '#web/ui/dates.tsx'
import { counted, formatDate, formatMoney } from '#web/ui/format.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { FINGER_LINK } from '#web/ui/links.tsx'
import { Money } from '#web/ui/Money.tsx'
import { optionsOf } from '#web/ui/option.ts'
import { Select } from '#web/ui/Select.tsx'
import { ownEntriesQuery } from './queries.ts'

const ExplainDialog = laterDialog(async () => (await import('#web/explain/ExplainDialog.tsx')).default)

const NUMBER_LINK = `${FINGER_LINK} whitespace-nowrap tabular-nums`
const leadLink = (id: number) => (
  <Link to={`${paths.affiliate.leads}?${rowParams.lead}=${id}`} aria-label={`Lead ${id}`} className={NUMBER_LINK}>
    {id}
  </Link>
)
const paymentLink = (id: number) => (
  <Link to={`${paths.affiliate.payments}?${rowParams.payment}=${id}`} aria-label={`Pago ${id}`} className={NUMBER_LINK}>
    {id}
  </Link>
)
const ONE_LINE = 'line-clamp-1 break-all middling:line-clamp-none middling:[word-break:normal]'
const waiting = (entry: OwnEntry) => waitsFor(entry, (day) => formatDate(day, 'day') ?? day)

const columns: Column<OwnEntry>[] = [
  {
    header: 'Lead',
    cell: ({ lead_id }) => (lead_id === null ? '—' : leadLink(lead_id)),
    card: 'line',
    brief: ({ lead_id }) => lead_id && leadLink(lead_id),
  },
  {
    header: 'Producto',
    // What is of no product is of an issuer alone.
    cell: (entry) => (
      <span className="inline-grid max-w-full leading-5 middling:min-w-28">
        <span className={ONE_LINE}>{entry.product_name || entry.step_name}</span>
        <span className={`${ONE_LINE} text-xs text-muted`}>{entry.issuer_name}</span>
      </span>
    ),
    title: (entry) => `${entry.product_name || entry.step_name} · ${entry.issuer_name}`,
    card: 'title',
    brief: (entry) => `${entry.product_name || entry.step_name} · ${entry.issuer_name}`,
  },
  {
    header: 'Paso',
    // A bonus or an adjustment has none.
    cell: (entry) => (entry.lead_id === null ? '—' : entry.step_name),
    secondary: true,
    card: 'meta',
    brief: (entry) => entry.lead_id !== null && entry.step_name,
  },
  { header: 'Fecha', cell: (entry) => <Day value={entry.earned_at} />, card: 'meta' },
  { header: 'Estado', cell: (entry) => <EntryBadge state={entry.state} />, card: 'chip' },
  {
    header: 'Qué espera',
    cell: (entry) => <span className="xl:block xl:min-w-44">{waiting(entry)}</span>,
    title: waiting,
    width: 'max-w-56',
    card: 'line',
    brief: waiting,
  },
  {
    header: 'Pago',
    cell: ({ payment_id }) => (payment_id === null ? '—' : paymentLink(payment_id)),
    card: 'line',
    brief: ({ payment_id }) => payment_id && paymentLink(payment_id),
  },
  { header: 'Monto', cell: (entry) => <Money value={entry.amount} />, align: 'right', card: 'amount' },
]

const NO_FILTERS = { estado: '', situacion: '', producto: '', desde: '', hasta: '', pagina: '1' }
type Filters = typeof NO_FILTERS

const states = [{ value: '', label: 'Todos los estados' }, ...optionsOf(entryStateLabels)]

const standings = [{ value: '', label: 'Todas las situaciones' }, ...optionsOf(standingLabels)]

/** As the call names them; a typed address may hold anything, and what means nothing is left out. */
const asked = ({ estado, situacion, producto, desde, hasta }: Filters) => ({
  ...(isOneOf(entryStateLabels, estado) && { state: estado }),
  ...(isOneOf(standingLabels, situacion) && { standing: situacion }),
  ...(isId(producto) && { product_id: producto }),
  ...(isDay(desde) && { from: desde }),
  ...(isDay(hasta) && { to: hasta }),
})

export default function AffiliateEntriesPage() {
  const { filters, change, clear } = useUrlFilters(NO_FILTERS)
  const query = asked(filters)
  const page = pageOf(filters.pagina)
  const [explained, setExplained] = useState<number>()
  const list = useQuery(ownEntriesQuery({ ...query, page: String(page), page_size: '50' }))
  const toPage = (next: number) => change({ pagina: String(next) })
  const shown = useShownPage(list.data, toPage)
  return (
    <Page
      title="Mis comisiones"
      description="Todo lo que ganaste, comisión por comisión, y qué espera cada una."
      count={list.data && <Sum of={list.data} />}
      action={
        <>
          <ExplainSearch viewer="affiliate" />
          <ExportMenu of={exports.commissionEntries} query={query} />
        </>
      }
      filters={
        <FilterBar
          count={Object.keys(query).length}
          onClear={clear}
          found={list.data && counted(list.data.pagination.count, 'comisión', 'comisiones')}
        >
          <FilterRow filters={filters} onChange={(changes) => change({ pagina: '1', ...changes })} />
        </FilterBar>
      }
    >
      <DataTable
        query={{ ...list, data: shown?.results }}
        columns={columns}
        actions={({ id }) => [
          { icon: CircleHelp, label: `¿De dónde sale la comisión ${id}?`, onClick: () => setExplained(id) },
        ]}
        paged={false}
        loading="Cargando comisiones..."
        errorText="Error al cargar las comisiones"
        empty="Aún no hay comisiones"
        emptyHint="Cada lead que llegue a un paso que genera comisión aparecerá aquí."
        emptyIcon={Coins}
        emptySearch="No hay comisiones para los filtros seleccionados"
        filtered={Object.keys(query).length > 0}
        footer={<PagesFooter pagination={shown?.pagination} busy={list.isFetching} onPage={toPage} />}
      />
      {explained !== undefined && (
        <ExplainDialog
          of={{ kind: 'entry', id: explained }}
          viewer="affiliate"
          onClose={() => setExplained(undefined)}
        />
      )}
    </Page>
  )
}

/** '12 comisiones · $4,200.00', of what the filters leave. */
const Sum = ({ of: { pagination, amount, reversed_amount } }: { of: OwnEntryPage }) => (
  <span role="status">
    {`${counted(pagination.count, 'comisión', 'comisiones')} · ${formatMoney(amount)}`}
    {reversed_amount !== '0.00' && ` · sin sumar ${formatMoney(reversed_amount)} revertidos`}
  </span>
)

interface FilterProps {
  filters: Filters
  onChange: (changes: Partial<Filters>) => void
}

function FilterRow({ filters, onChange }: FilterProps) {
  const products = useQuery(productOptionsQuery())
  return (
    <>
      <IdFilter
        label="Producto"
        all="Todos los productos"
        options={products.data}
        value={filters.producto}
        onChange={(producto) => onChange({ producto })}
      />
      <Select
        aria-label="Estado de la comisión"
        options={states}
        value={filters.estado}
        onChange={(estado) => onChange({ estado })}
        className="w-full sm:w-48"
      />
      <Select
        aria-label="Situación de la comisión"
        options={standings}
        value={filters.situacion}
        onChange={(situacion) => onChange({ situacion })}
        className="w-full sm:w-52"
      />
      <DayRangeFilter
        from={filters.desde}
        to={filters.hasta}
        onFrom={(desde) => onChange({ desde })}
        onTo={(hasta) => onChange({ hasta })}
      />
    </>
  )
}

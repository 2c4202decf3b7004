import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { Link } from 'react-router'
import type { WaitingEntry, WaitingPage } from '#contract/commission-entries.ts'
import { affiliateOptionsQuery } from '#web/affiliates/queries.ts'
import { useAuth } from '#web/auth/auth-context.tsx'
import { paths, rowParams } from '#web/paths.ts'
import { productOptionsQuery } from '#web/products/queries.ts'
import { Page } from '#web/shell/Page.tsx'
import { isId, pageOf } from '#web/table/address.ts'
import type { Column } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { FilterBar } from '#web/table/FilterBar.tsx'
import { IdFilter } from '#web/table/IdFilter.tsx'
import { PagesFooter } from '#web/table/TableFooter.tsx'
import { useShownPage } from '#web/table/use-shown-page.ts'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Company } from '#web/ui/Company.tsx'
import { Day } from '#web/ui/dates.tsx'
import { counted, formatMoney } from '#web/ui/format.ts'
import { LINK } from '#web/ui/links.tsx'
import { Money } from '#web/ui/Money.tsx'
import { ApproveBar } from './ApproveBar.tsx'
import { heldText } from './held.ts'
import { waitingQuery } from './queries.ts'
import { useChosen } from './use-chosen.ts'

type Viewer = 'admin' | 'issuer'

const NO_FILTERS = { afiliado: '', producto: '', pagina: '1' }
type Filters = typeof NO_FILTERS

/** As the call names them; a typed address may hold anything, and what means nothing is left out. */
const asked = ({ afiliado, producto }: Filters) => ({
  ...(isId(afiliado) && { affiliate_id: afiliado }),
  ...(isId(producto) && { product_id: producto }),
})

/** What was earned and waits for somebody to say that it may be paid. */
export default function ApprovalsPage() {
  const viewer = useAuth().user?.role as Viewer
  const { filters, change, clear } = useUrlFilters(NO_FILTERS)
  const query = asked(filters)
  const page = pageOf(filters.pagina)
  const list = useQuery(waitingQuery({ ...query, page: String(page), page_size: '100' }))
  const toPage = (next: number) => change({ pagina: String(next) })
  const shown = useShownPage(list.data, toPage)
  const [chosen, setChosen] = useChosen()
  const rows = shown?.results ?? []
  const picked = rows.filter(({ id }) => chosen.has(id))
  const toggle: Toggle = (ids, on) =>
    setChosen((known) => new Set(on ? [...known, ...ids] : [...known].filter((id) => !ids.includes(id))))
  return (
    <Page
      title="Por aprobar"
      description="Comisiones que se pagan solo después de aprobarlas. Lo que se rechace se rechaza en su lead."
      count={list.data && <Sum of={list.data} />}
      filters={
        <FilterBar
          count={Object.keys(query).length}
          onClear={clear}
          found={list.data && counted(list.data.pagination.count, 'comisión', 'comisiones')}
        >
          <Filters filters={filters} onChange={(changes) => change({ pagina: '1', ...changes })} />
        </FilterBar>
      }
    >
      {rows.length > 0 && <ApproveBar rows={rows} picked={picked} onToggle={toggle} />}
      <DataTable
        query={{ ...list, data: shown?.results }}
        columns={[
          boxColumn(chosen, toggle),
          leadColumn(viewer),
          ...(viewer === 'admin' ? [issuerColumn] : []),
          ...columns,
        ]}
        paged={false}
        loading="Cargando comisiones..."
        errorText="Error al cargar las comisiones por aprobar"
        empty="Nada espera aprobación"
        emptyHint="Aquí llegan las comisiones cuyas condiciones piden la aprobación del emisor."
        emptyIcon={CircleCheck}
        emptySearch="Nada espera aprobación con esos filtros"
        filtered={Object.keys(query).length > 0}
        footer={<PagesFooter pagination={shown?.pagination} busy={list.isFetching} onPage={toPage} />}
      />
    </Page>
  )
}

const Sum = ({ of: { pagination, amount, ...among } }: { of: WaitingPage }) => (
  <span role="status">
    {`${counted(pagination.count, 'comisión', 'comisiones')} · ${formatMoney(amount)}${heldText(among)}`}
  </span>
)

function Filters({ filters, onChange }: { filters: Filters; onChange: (changes: Partial<Filters>) => void }) {
  const [affiliates, products] = [useQuery(affiliateOptionsQuery()), useQuery(productOptionsQuery())]
  return (
    <>
      <IdFilter
        label="Afiliado"
        all="Todos los afiliados"
        options={affiliates.data}
        value={filters.afiliado}
        onChange={(afiliado) => onChange({ afiliado })}
      />
      <IdFilter
        label="Producto"
        all="Todos los productos"
        options={products.data}
        value={filters.producto}
        onChange={(producto) => onChange({ producto })}
      />
    </>
  )
}

type Toggle = (ids: readonly number[], on: boolean) => void

const boxColumn = (chosen: ReadonlySet<number>, toggle: Toggle): Column<WaitingEntry> => ({
  header: 'Elegir',
  cell: ({ id }) => (
    <input
      type="checkbox"
      aria-label={`Elegir la comisión ${id}`}
      checked={chosen.has(id)}
      onChange={(event) => toggle([id], event.target.checked)}
      className="size-5 align-middle accent-brand"
    />
  ),
  card: 'start',
})

const leadColumn = (viewer: Viewer): Column<WaitingEntry> => ({
  header: 'Lead',
  cell: ({ lead_id }) => (
    <Link
      to={`${paths[viewer].leads}?${rowParams.lead}=${lead_id}`}
      aria-label={`Lead ${lead_id}`}
      className={`${LINK} whitespace-nowrap tabular-nums`}
    >
      {lead_id}
    </Link>
  ),
  card: 'line',
})

const issuerColumn: Column<WaitingEntry> = {
  header: 'Emisor',
  cell: (entry) => <Company name={entry.issuer_name} />,
  card: 'meta',
}

const columns: Column<WaitingEntry>[] = [
  { header: 'Afiliado', cell: (entry) => <Company name={entry.affiliate_name} />, card: 'title' },
  { header: 'Producto', cell: (entry) => entry.product_name, card: 'meta' },
  { header: 'Paso', cell: (entry) => entry.step_name, secondary: true, card: 'line' },
  { header: 'Ganada', cell: (entry) => <Day value={entry.earned_at} />, card: 'meta' },
  {
    header: 'Espera desde hace',
    cell: ({ days, is_held, compensation }) =>
      [
        counted(days, 'día', 'días'),
        is_held && 'Retenida',
        compensation !== '0.00' && `con ${formatMoney(compensation)} que la compensan`,
      ]
        .filter(Boolean)
        .join(' · '),
    card: 'line',
  },
  { header: 'Validación hasta', cell: (entry) => <Day value={entry.validation_ends_on} />, card: 'line' },
  { header: 'Monto', cell: (entry) => <Money value={entry.amount} />, align: 'right', card: 'amount' },
]

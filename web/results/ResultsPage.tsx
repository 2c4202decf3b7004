import { useQuery } from '@tanstack/react-query'
import { ChartColumn, CircleCheck, CircleX, HandCoins, MousePointerClick } from 'lucide-react'
import { useMemo } from 'react'
import { exports } from '#contract/exports.ts'
import { type Result, type ResultPage, type ResultTotals, resultKindLabels } from '#contract/results.ts'
import { dateInMexico } from '#contract/time.ts'
import { useBoardFilters } from '#web/boards/Board.tsx'
import { BoardFilters } from '#web/boards/BoardFilters.tsx'
import { NO_FILTERS } from '#web/boards/period.ts'
import { percent } from '#web/boards/words.ts'
import { Page } from '#web/shell/Page.tsx'
import type { Column } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { FilterBar } from '#web/table/FilterBar.tsx'
import { SearchField } from '#web/table/SearchField.tsx'
import { FooterBar } from '#web/table/TableFooter.tsx'
import { useShownPage } from '#web/table/use-shown-page.ts'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Day } from '#web/ui/dates.tsx'
import { counted, formatDate, formatNumber } from '#web/ui/format.ts'
import { Money } from '#web/ui/Money.tsx'
import { PageSize, Pages } from '#web/ui/Pagination.tsx'
import { Select } from '#web/ui/Select.tsx'
import { StatCard, StatRow } from '#web/ui/StatCard.tsx'
import { type AskedResults, defaults, dimensions, groupings, labelOf, orderingsOf, readable } from './filters.ts'
import { resultsQuery } from './queries.ts'

export default function ResultsPage() {
  const url = useUrlFilters(defaults)
  const board = useBoardFilters()
  const asked: AskedResults = { ...board, ...readable(url.filters) }
  const list = useQuery(resultsQuery(asked))
  const { change } = url
  const narrow = (changes: Partial<typeof defaults>) => change({ page: defaults.page, ...changes })
  const shown = useShownPage(list.data, (page) => change({ page: String(page) }))
  const { by, dimension } = asked
  const columns = useMemo(() => columnsFor(by, dimension), [by, dimension])
  const { page: _, page_size: __, ...exported } = asked
  return (
    <Page
      title="Resultados"
      description="Qué fue de los leads según los parámetros UTM o sub de su enlace."
      action={<ExportMenu of={exports.results} query={exported} />}
      filters={
        <FilterBar
          search={<Dimension asked={asked} onChange={narrow} />}
          count={narrowed.filter((name) => url.filters[name] !== defaults[name]).length}
          onClear={() => narrow({ ...NO_FILTERS, by: defaults.by, ordering: defaults.ordering })}
          found={list.data && counted(list.data.pagination.count, 'resultado', 'resultados')}
        >
          <BoardFilters asked={asked} onChange={narrow} />
          <Grouping asked={asked} onChange={narrow} />
        </FilterBar>
      }
    >
      <p className="mb-4 text-muted">
        {daysText(asked)} Cada lead cuenta en el día de su clic, con lo que es ahora, sin bonos ni ajustes; los tableros
        los incluyen y cuentan lo ganado en el día en que se ganó.
      </p>
      <Totals totals={list.data?.totals} failed={list.isError} />
      <section aria-label="Resultados por valor" className="mt-4">
        <p className="mb-3 text-muted tabular-nums" role="status">
          {list.data ? counted(list.data.pagination.count, 'resultado', 'resultados') : '\u00A0'}
        </p>
        <DataTable
          query={{ ...list, data: shown?.results }}
          columns={columns}
          label="Resultados por valor"
          rowKey={(row) => `${row.day} ${row.kind} ${row.value}`}
          paged={false}
          loading="Cargando resultados..."
          errorText="Error al cargar los resultados"
          empty="No hay leads en este periodo"
          emptyHint="Cada clic en un enlace de afiliado cuenta aquí, con sus UTM y sus sub1 a sub10."
          emptyIcon={ChartColumn}
          emptySearch="No se encontraron valores con esa búsqueda"
          filtered={asked.search !== ''}
          footer={shown && <Footer data={shown} busy={list.isFetching} onChange={change} />}
        />
      </section>
    </Page>
  )
}

const daysText = ({ from, to }: AskedResults): string =>
  `Clics del ${formatDate(from, 'longDay')} al ${formatDate(to, 'longDay')}, días de la Ciudad de México.${
    to >= dateInMexico() ? ' El de hoy está en curso.' : ''
  }`

interface GroupingProps {
  asked: AskedResults
  onChange: (changes: Partial<typeof defaults>) => void
}

/** What the rows are told apart by, and the search among them. */
const Dimension = ({ asked: { dimension, search }, onChange }: GroupingProps) => (
  <>
    <Select
      aria-label="Dimensión"
      options={dimensions}
      value={dimension}
      onChange={(dimension) => onChange({ dimension, search: '' })}
      className="w-full sm:w-44"
    />
    <SearchField
      placeholder={`Buscar ${labelOf(dimension)}`}
      value={search}
      onChange={(search) => onChange({ search })}
      className="sm:w-60"
    />
  </>
)

/** Those of the sheet, which counts them. */
const narrowed = ['periodo', 'product_id', 'issuer_id', 'affiliate_id', 'by'] as const

const Grouping = ({ asked, onChange }: GroupingProps) => (
  <>
    <Select
      aria-label="Agrupar"
      options={groupings}
      value={asked.by}
      onChange={(by) => onChange({ by, ordering: by === 'day' ? '-day' : defaults.ordering })}
      className="w-full sm:w-44"
    />
    <Select
      aria-label="Orden"
      options={orderingsOf(asked.by)}
      value={asked.ordering}
      onChange={(ordering) => onChange({ ordering })}
      className="w-full sm:w-48"
    />
  </>
)

/** Of all rows below, those of other pages too. */
function Totals({ totals, failed }: { totals: ResultTotals | undefined; failed: boolean }) {
  if (!totals && failed) return null
  const rate = totals && `${percent(totals.approval_rate)} de los leads`
  return (
    <StatRow label="Totales" count={4} busy={!totals}>
      <StatCard label="Leads" icon={MousePointerClick} value={totals && formatNumber(totals.leads)} />
      <StatCard label="Aprobados" icon={CircleCheck} value={totals && withNote(formatNumber(totals.approved), rate)} />
      <StatCard label="Rechazados" icon={CircleX} value={totals && formatNumber(totals.rejected)} />
      <StatCard label="Ganado" icon={HandCoins} value={totals && <Money value={totals.earned} />} />
    </StatRow>
  )
}

const withNote = (figure: string, note: string | undefined) => (
  <span className="flex flex-wrap items-baseline gap-x-2">
    {figure} <span className="text-base font-normal text-muted">{note}</span>
  </span>
)

const columnsFor = (by: string, dimension: string): Column<Result>[] => [
  ...(by === 'day'
    ? [{ header: 'Día', cell: (row: Result) => <Day value={row.day} missing="-" />, card: 'meta' as const }]
    : []),
  {
    header: labelOf(dimension),
    cell: (row) =>
      row.kind === 'value' ? row.value : <span className="text-muted italic">{resultKindLabels[row.kind]}</span>,
    title: (row) => row.value ?? '',
    width: 'max-w-80',
    card: 'title',
  },
  { header: 'Leads', cell: (row) => formatNumber(row.leads), align: 'right', card: 'line' },
  { header: 'Aprobados', cell: (row) => formatNumber(row.approved), align: 'right', card: 'line' },
  { header: 'Rechazados', cell: (row) => formatNumber(row.rejected), align: 'right', card: 'line' },
  { header: 'Aprobación', cell: (row) => percent(row.approval_rate), align: 'right', secondary: true, card: 'line' },
  { header: 'Ganado', cell: (row) => <Money value={row.earned} />, align: 'right', card: 'amount' },
]

interface FooterProps {
  data: ResultPage
  busy: boolean
  onChange: (changes: Partial<typeof defaults>) => void
}

function Footer({ data: { pagination }, busy, onChange }: FooterProps) {
  const { count, current_page: page, total_pages: pages, page_size: size } = pagination
  if (count <= 25) return null
  return (
    <FooterBar>
      <PageSize value={size} onChange={(size) => onChange({ page: defaults.page, page_size: String(size) })} />
      {pages > 1 && (
        <Pages page={page} pages={pages} busy={busy} onPage={(page) => onChange({ page: String(page) })}>
          {`Página ${page} de ${formatNumber(pages)} (${formatNumber(count)} resultados)`}
        </Pages>
      )}
    </FooterBar>
  )
}

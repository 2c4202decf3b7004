import { useQuery } from '@tanstack/react-query'
import { MousePointerClick, RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { exports } from '#contract/exports.ts'
import { type LeadPage, PAGE_SIZES } from '#contract/leads.ts'
import type { Role } from '#contract/roles.ts'
import { rowParams } from '#web/paths.ts'
import { Page } from '#web/shell/Page.tsx'
import { viewAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { DayRangeFilter } from '#web/table/DayFilter.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { FilterBar } from '#web/table/FilterBar.tsx'
import type { Nouns } from '#web/table/nouns.ts'
import { usePanel } from '#web/table/use-panel.ts'
import { useSelection } from '#web/table/use-selection.ts'
import { useShownPage } from '#web/table/use-shown-page.ts'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Button } from '#web/ui/Button.tsx'
import { formatNumber } from '#web/ui/format.ts'
import { PageSize, Pages } from '#web/ui/Pagination.tsx'
import { Select } from '#web/ui/Select.tsx'
import { useColumns } from './columns.tsx'
import { type Dropdown, Dropdowns } from './Dropdowns.tsx'
import { countOf, defaults, type LeadFilterTexts, orderings, readable, type TextField } from './filters.ts'
import { LeadPanel, leadName } from './LeadPanel.tsx'
import { leadsQuery } from './queries.ts'
import { type Drafts, TextFilters } from './TextFilters.tsx'

interface Props {
  viewer: Role
  title: string
  description: string
  /** An issuer has no choice of issuers, an affiliate none of affiliates. */
  dropdowns: readonly Dropdown[]
}

export function LeadList({ viewer, title, description, dropdowns }: Props) {
  const url = useUrlFilters(defaults)
  const filters = readable(url.filters)
  const list = useQuery(leadsQuery(filters))
  const [drafts, setDrafts] = useState<Drafts>({})
  const { columns, menu } = useColumns(dropdowns.includes('affiliate'))
  const count = countOf(filters)

  /** Everything but a change of page starts at the first one again. */
  const narrow = (changes: Partial<LeadFilterTexts>) => url.change({ page: '1', ...changes })
  const texts = trimmed(drafts)
  const isTyped = Object.entries(texts).some(([field, text]) => text !== filters[field as TextField])
  const apply = () => {
    setDrafts(texts)
    if (isTyped) narrow(texts)
  }
  const refresh = () => {
    apply()
    if (!isTyped) void list.refetch()
  }
  // A draft lives until the address holds it, so that its field keeps the focus and the cursor.
  useEffect(() => setDrafts((current) => pending(current, url.filters)), [url.filters])
  const remove = (field: TextField) => {
    setDrafts(({ [field]: _, ...rest }) => rest)
    if (filters[field] !== '') narrow({ [field]: '' })
  }
  const clear = () => {
    url.clear()
    setDrafts({})
  }
  const page = useShownPage(list.data, (last) => url.change({ page: String(last) }))
  const [panel, selection] = [usePanel(rowParams.lead), useSelection(rowParams.lead)]
  return (
    <Page
      title={title}
      description={description}
      action={<ExportMenu of={exports.leads} query={filters} />}
      filters={
        <FilterBar
          count={count}
          onClear={clear}
          found={isTyped || !page ? undefined : `${totalOf(page)} leads`}
          onApply={apply}
        >
          <Dropdowns shown={dropdowns} filters={filters} onChange={narrow} />
          <DayRangeFilter
            from={filters.from}
            to={filters.to}
            onFrom={(from) => narrow({ from })}
            onTo={(to) => narrow({ to })}
          />
          <Select
            aria-label="Orden"
            options={orderings}
            value={filters.ordering}
            onChange={(ordering) => narrow({ ordering })}
            className="w-full sm:w-52"
          />
          <TextFilters
            active={filters}
            drafts={drafts}
            onDraft={(field, text) => setDrafts((current) => ({ ...current, [field]: text }))}
            onRemove={remove}
            onApply={refresh}
          />
        </FilterBar>
      }
    >
      <section aria-label="Gestión de Leads">
        <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
          <div className="max-sm:w-full">
            {title !== CARD_TITLE && <h2 className="font-semibold">{CARD_TITLE}</h2>}
            <p className="text-muted tabular-nums" role="status">
              {counter(page)}
            </p>
          </div>
          <div className="flex flex-wrap gap-2">
            {menu}
            <Button icon={RefreshCw} onClick={refresh} disabled={list.isFetching}>
              Actualizar
            </Button>
          </div>
        </div>
        <DataTable
          query={{ ...list, data: page?.results }}
          columns={columns}
          opens={{ panel, name: leadName }}
          selects={{ selection, nouns, name: leadName, exports: exports.leads }}
          label={CARD_TITLE}
          paged={false}
          loading="Cargando leads..."
          errorText="Error al cargar los leads"
          empty="No hay leads registrados"
          emptyHint="Cada clic en un enlace de afiliado aparecerá aquí."
          emptyIcon={MousePointerClick}
          emptySearch="No se encontraron leads con los filtros aplicados"
          filtered={count > 0}
          actions={(lead) => [viewAction(() => panel.open(lead.id), { label: `Ver lead ${lead.id}` })]}
          footer={
            page && (
              <Footer
                data={page}
                busy={list.isFetching}
                onPage={(page) => url.change({ page: String(page) })}
                onSize={(size) => narrow({ page_size: String(size) })}
              />
            )
          }
        />
      </section>
      <LeadPanel panel={panel} leads={page?.results} viewer={viewer} />
    </Page>
  )
}

const CARD_TITLE = 'Gestión de Leads'
const nouns: Nouns = { one: 'lead', many: 'leads', the: 'los' }

const trimmed = (drafts: Drafts): Drafts =>
  Object.fromEntries(Object.entries(drafts).map(([field, text]) => [field, text.trim()]))

/** Drafts not applied yet; an empty field stays open. */
const pending = (drafts: Drafts, active: LeadFilterTexts): Drafts =>
  Object.fromEntries(
    Object.entries(drafts).filter(([field, text]) => text === '' || text !== active[field as TextField]),
  )

type Counted = LeadPage & { isCapped: boolean }

function counter(data: Counted | undefined): string {
  if (!data) return '\u00A0' // the table says that it loads; the line keeps its height
  const total = data.pagination.count
  return total === 0 ? 'No hay leads registrados' : `Mostrando ${data.results.length} de ${totalOf(data)} leads`
}

/** Matches of a text or a state are counted up to 10,000 (D51). */
const totalOf = ({ isCapped, pagination: { count } }: Counted): string =>
  `${isCapped ? 'más de ' : ''}${formatNumber(count)}`

interface FooterProps {
  data: Counted
  busy: boolean
  onPage: (page: number) => void
  onSize: (size: number) => void
}

/** The size can be chosen whenever there are more rows than the smallest page. */
function Footer({ data, busy, onPage, onSize }: FooterProps) {
  const { count, current_page: page, total_pages: pages, page_size: size } = data.pagination
  if (count <= PAGE_SIZES[0]) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t px-4 py-3">
      <PageSize value={size} onChange={onSize} />
      {pages > 1 && (
        <Pages page={page} pages={pages} busy={busy} onPage={onPage}>
          {`Página ${page} de ${pages} (${totalOf(data)} leads en total)`}
        </Pages>
      )}
    </div>
  )
}

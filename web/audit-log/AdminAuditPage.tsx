import { useQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type AuditRecord, auditEntities, COUNTED_ENTRIES } from '#contract/audit-log.ts'
import { Page } from '#web/shell/Page.tsx'
import { type Column, viewAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { DayRangeFilter } from '#web/table/DayFilter.tsx'
import { FilterBar } from '#web/table/FilterBar.tsx'
import { IdFilter } from '#web/table/IdFilter.tsx'
import { FooterBar } from '#web/table/TableFooter.tsx'
import { useShownPage } from '#web/table/use-shown-page.ts'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { DayTime } from '#web/ui/dates.tsx'
import { counted, formatNumber } from '#web/ui/format.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { Pages } from '#web/ui/Pagination.tsx'
import { Select } from '#web/ui/Select.tsx'
import { usersQuery } from '#web/users/queries.ts'
import { actorOf, kindOf } from './actor.ts'
import { type AuditFilterTexts, actionOptions, entityOptions, NO_FILTERS, queryOf } from './filters.ts'
import { auditQuery } from './queries.ts'
import { sentenceOf } from './sentence.ts'

const AuditDialog = laterDialog(async () => (await import('./AuditDialog.tsx')).AuditDialog)

const textOf = (entry: AuditRecord): string => {
  const { did, what } = sentenceOf(entry)
  return [did, what].filter(Boolean).join(' ')
}
const entityOf = ({ entity }: AuditRecord): string => auditEntities[entity as keyof typeof auditEntities] ?? entity

const columns: Column<AuditRecord>[] = [
  { header: 'Fecha', cell: (entry) => <DayTime value={entry.created_at} />, card: 'meta' },
  { header: 'Persona', cell: ({ actor_name }) => actor_name || '—', title: actorOf, width: 'max-w-72', card: 'meta' },
  { header: 'Rol', cell: kindOf, secondary: true },
  { header: 'Qué hizo', cell: textOf, title: textOf, width: 'max-w-96', card: 'title' },
  { header: 'Entidad', cell: entityOf, secondary: true },
]

export default function AdminAuditPage() {
  const [open, setOpen] = useState<AuditRecord>()
  const { filters, change, clear, count } = useUrlFilters(NO_FILTERS)
  const list = useQuery(auditQuery(queryOf(filters)))
  const toPage = (page: number) => change({ pagina: String(page) })
  const shown = useShownPage(list.data, toPage)
  const pagination = shown?.pagination
  /** Everything but a change of page starts at the first one again. */
  const narrow = (changes: Partial<AuditFilterTexts>) => change({ pagina: '1', ...changes })
  return (
    <Page
      title="Bitácora"
      description="Quién hizo qué y cuándo, con los valores de antes y de después. Nadie puede cambiarla."
      count={pagination && countText(pagination.count)}
      filters={
        <FilterBar count={count} onClear={clear} found={pagination && countText(pagination.count).toLowerCase()}>
          <Filters filters={filters} onChange={narrow} />
        </FilterBar>
      }
    >
      <DataTable
        query={{ ...list, data: shown?.results }}
        columns={columns}
        label="Bitácora"
        paged={false}
        filtered={count > 0}
        loading="Cargando bitácora..."
        errorText="Error al cargar la bitácora"
        empty="Todavía no hay nada en la bitácora"
        emptyIcon={ScrollText}
        emptySearch="No se encontró nada con los filtros aplicados"
        actions={(entry) => [viewAction(() => setOpen(entry), { label: `Ver entrada ${entry.id}` })]}
        footer={
          pagination &&
          pagination.total_pages > 1 && (
            <FooterBar>
              <Pages
                page={pagination.current_page}
                pages={pagination.total_pages}
                busy={list.isFetching}
                onPage={toPage}
              >
                {`Página ${formatNumber(pagination.current_page)} de ${formatNumber(pagination.total_pages)}`}
              </Pages>
            </FooterBar>
          )
        }
      />
      {open && <AuditDialog entry={open} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}

const countText = (count: number): string =>
  `${count >= COUNTED_ENTRIES ? 'Más de ' : ''}${counted(count, 'entrada', 'entradas')}`

interface FilterProps {
  filters: AuditFilterTexts
  onChange: (changes: Partial<AuditFilterTexts>) => void
}

function Filters({ filters, onChange }: FilterProps) {
  const users = useQuery(usersQuery())
  const people = useMemo(
    () => (users.data ?? []).map((user) => ({ value: user.id, label: `${user.full_name} (${user.email})` })),
    [users.data],
  )
  return (
    <>
      <IdFilter
        label="Persona"
        all="Todas las personas"
        options={people}
        value={filters.persona}
        onChange={(persona) => onChange({ persona })}
        className="w-full sm:w-72"
      />
      <Select
        aria-label="Entidad"
        options={entityOptions}
        value={filters.entidad}
        onChange={(entidad) => onChange({ entidad })}
        className="w-full sm:w-52"
      />
      <Select
        aria-label="Acción"
        options={actionOptions}
        value={filters.accion}
        onChange={(accion) => onChange({ accion })}
        className="w-full sm:w-60"
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

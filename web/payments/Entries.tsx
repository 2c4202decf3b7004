import { type CommissionEntry, type EntryPage, entryStateLabels } from '#contract/commission-entries.ts'
import { EntryBadge } from '#web/states/StateBadges.tsx'
import type { Column } from '#web/table/column.ts'
import { DataTable, type TableQuery } from '#web/table/DataTable.tsx'
import { PagesFooter } from '#web/table/TableFooter.tsx'
import { useShownPage } from '#web/table/use-shown-page.ts'
import { Day, DayTime } from '#web/ui/dates.tsx'
import { Money } from '#web/ui/Money.tsx'

const columns: Column<CommissionEntry>[] = [
  {
    header: 'Lead',
    cell: (entry) => <span className="whitespace-nowrap tabular-nums">{entry.lead_id ?? '—'}</span>,
    card: 'meta',
    brief: (entry) => (entry.lead_id === null ? null : `Lead ${entry.lead_id}`),
  },
  { header: 'External ID', cell: (entry) => entry.external_id || '—', secondary: true },
  { header: 'Producto', cell: (entry) => entry.product_name || '—', card: 'meta' },
  { header: 'Paso', cell: (entry) => entry.step_name, wrap: true, card: 'title' },
  {
    header: 'Fecha',
    cell: (entry) => <DayTime value={entry.earned_at} />,
    card: 'meta',
    brief: (entry) => <Day value={entry.earned_at} />,
  },
  {
    header: 'Estado',
    cell: (entry) => <EntryBadge state={entry.state} />,
    title: (entry) => entry.reason ?? entry.note ?? entryStateLabels[entry.state],
    card: 'chip',
  },
  { header: 'Monto', cell: (entry) => <Money value={entry.amount} />, align: 'right', card: 'amount' },
]

interface Props {
  query: Omit<TableQuery<CommissionEntry>, 'data'> & { data: EntryPage | undefined }
  onPage: (page: number) => void
  /** Said when there are none. */
  empty: string
  emptyHint: string
}

/** The commissions behind an amount: every peso goes back to an event, a lead and a click. */
export function Entries({ query, onPage, empty, emptyHint }: Props) {
  const shown = useShownPage(query.data, onPage)
  return (
    <DataTable
      query={{ ...query, data: shown?.results }}
      columns={columns}
      label="Comisiones del pago"
      paged={false}
      loading="Cargando comisiones..."
      errorText="Error al cargar las comisiones"
      empty={empty}
      emptyHint={emptyHint}
      skeletonRows={3}
      footer={<PagesFooter pagination={shown?.pagination} busy={query.isFetching} onPage={onPage} />}
    />
  )
}

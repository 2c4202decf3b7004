import { useQuery } from '@tanstack/react-query'
import { FileSpreadsheet } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { type Import, importStatusLabels, isWorking } from '#contract/imports.ts'
import { useAuth } from '#web/auth/auth-context.tsx'
import { rowParams } from '#web/paths.ts'
import { Page } from '#web/shell/Page.tsx'
import { isId, pageOf } from '#web/table/address.ts'
import { type Column, viewAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { PagesFooter } from '#web/table/TableFooter.tsx'
import { useShownPage } from '#web/table/use-shown-page.ts'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Badge, type Tone } from '#web/ui/Badge.tsx'
import { Company } from '#web/ui/Company.tsx'
import { Day, DayTime } from '#web/ui/dates.tsx'
import { counted, formatNumber } from '#web/ui/format.ts'
import { ImportView } from './ImportView.tsx'
import { importsQuery } from './queries.ts'
import { UploadCard } from './UploadCard.tsx'
import { useRefreshWhenApplied } from './use-refresh-when-applied.ts'

const DEFAULTS = { [rowParams.file]: '', pagina: '1' }

type Address = { search: string }

/** One of the files, or their list, which stays on its page. */
function addressOf(page: number, file?: number): Address {
  const params = new URLSearchParams()
  if (page > 1) params.set('pagina', String(page))
  if (file !== undefined) params.set(rowParams.file, String(file))
  return { search: String(params) }
}

/** Files that say what became of leads: one of them, or all with a place for the next. */
export default function ImportsPage() {
  const { filters, change } = useUrlFilters(DEFAULTS)
  const navigate = useNavigate()
  const page = pageOf(filters.pagina)
  const id = isId(filters.archivo) ? Number(filters.archivo) : 0
  const close = (replace: boolean) => void navigate(addressOf(page), { replace })
  const open = (read: number) => void navigate(addressOf(page, read), { replace: true })
  if (id > 0)
    return <ImportView key={id} id={id} onClose={() => close(false)} onDiscarded={() => close(true)} onRead={open} />
  return <All page={page} onPage={(next) => change({ pagina: String(next) })} />
}

function All({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const isAdmin = useAuth().user?.role === 'admin'
  const navigate = useNavigate()
  const onOpen = (id: number) => void navigate(addressOf(page, id))
  const list = useQuery(importsQuery({ page: String(page), page_size: '50' }))
  useRefreshWhenApplied(list.data?.results ?? [])
  const shown = useShownPage(list.data, onPage)
  const pagination = list.data?.pagination
  return (
    <Page
      title="Conciliación"
      description="Sube el archivo de tu banco o sistema que dice qué pasó con los leads. Antes de aplicarlo ves cuántos se aprueban o rechazan y cuántos pesos mueve."
      count={pagination && counted(pagination.count, 'archivo', 'archivos')}
    >
      <UploadCard isAdmin={isAdmin} onReceived={onOpen} />
      <DataTable
        query={{ ...list, data: shown?.results }}
        columns={[fileColumn(page), ...(isAdmin ? [issuerColumn] : []), ...columns]}
        actions={(row) => [viewAction(() => onOpen(row.id), { label: `Ver ${row.file_name}` })]}
        paged={false}
        loading="Cargando conciliaciones..."
        errorText="Error al cargar las conciliaciones"
        empty="Aún no hay archivos"
        emptyHint="El primero que subas aparece aquí, con lo que pasó con cada renglón."
        emptyIcon={FileSpreadsheet}
        footer={<PagesFooter pagination={shown?.pagination} busy={list.isFetching} onPage={onPage} />}
      />
    </Page>
  )
}

const tones: Record<Import['status'], Tone> = {
  received: 'neutral',
  simulating: 'info',
  simulated: 'brand',
  applying: 'info',
  applied: 'success',
  previewing: 'info',
  undoing: 'info',
  undone: 'neutral',
}

export const StatusBadge = ({ of }: { of: Import }) => (
  <Badge tone={tones[of.status]}>
    {isWorking(of.status)
      ? `${importStatusLabels[of.status]} ${Math.floor(of.progress * 100)} %`
      : importStatusLabels[of.status]}
  </Badge>
)

const fileColumn = (page: number): Column<Import> => ({
  header: 'Archivo',
  cell: (row) => (
    <Link to={addressOf(page, row.id)} className="rounded font-medium wrap-anywhere hover:underline">
      {row.file_name}
    </Link>
  ),
  title: (row) => row.file_name,
  brief: (row) => row.file_name,
  card: 'title',
})
const issuerColumn: Column<Import> = {
  header: 'Emisor',
  cell: (row) => <Company name={row.issuer_name} />,
  card: 'meta',
}
const columns: Column<Import>[] = [
  {
    header: 'Renglones',
    cell: ({ rows }) => formatNumber(rows),
    align: 'right',
    card: 'meta',
    brief: ({ rows }) => counted(rows, 'renglón', 'renglones'),
  },
  { header: 'Subido', cell: (row) => <DayTime value={row.created_at} />, card: 'meta' },
  { header: 'Por', cell: (row) => row.created_by_name ?? 'Un administrador', secondary: true, card: 'line' },
  { header: 'Aplicado', cell: (row) => <Day value={row.applied_at} missing="—" />, wideOnly: true },
  { header: 'Estado', cell: (row) => <StatusBadge of={row} />, card: 'chip' },
]

import { useQuery } from '@tanstack/react-query'
import { Gauge, Info, Plus } from 'lucide-react'
import { useCallback, useState } from 'react'
import { dashboards, type ExternalDashboard } from '#contract/dashboards.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { Page } from '#web/shell/Page.tsx'
import { type Column, deleteAction, editAction, viewAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { SearchField } from '#web/table/SearchField.tsx'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { LongDay } from '#web/ui/dates.tsx'
import { counted } from '#web/ui/format.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { matches } from '#web/ui/matches.ts'
import { RoleBadge } from '#web/users/badges.tsx'
import { RoleFilter } from '#web/users/RoleFilter.tsx'
import { audienceOf } from './audience.ts'
import { externalDashboardsQuery, originsQuery } from './external-queries.ts'

const DashboardCreateDialog = laterDialog(async () => (await import('./DashboardDialogs.tsx')).DashboardCreateDialog)
const DashboardEditDialog = laterDialog(async () => (await import('./DashboardDialogs.tsx')).DashboardEditDialog)
const DashboardRemoveDialog = laterDialog(async () => (await import('./DashboardDialogs.tsx')).DashboardRemoveDialog)
const DashboardViewDialog = laterDialog(async () => (await import('./DashboardDialogs.tsx')).DashboardViewDialog)

const columns: Column<ExternalDashboard>[] = [
  {
    header: 'Nombre',
    cell: (dashboard) => (
      <span className="flex flex-wrap items-center gap-x-2 font-medium narrow:justify-end">
        <span className="line-clamp-2 min-w-28 wrap-anywhere narrow:line-clamp-none narrow:min-w-0">
          {dashboard.name}
        </span>
        {!dashboard.allowed && <Badge tone="danger">No se muestra</Badge>}
      </span>
    ),
    title: (dashboard) => dashboard.name,
    sort: (dashboard) => dashboard.name,
    card: 'title',
    brief: (dashboard) => (
      <>
        {dashboard.name} {!dashboard.allowed && <Badge tone="danger">No se muestra</Badge>}
      </>
    ),
    wrap: true,
  },
  { header: 'Dirección', cell: (dashboard) => dashboard.iframe_url, width: 'max-w-72' },
  {
    header: 'Rol',
    cell: (dashboard) => <RoleBadge role={dashboard.role} />,
    sort: (dashboard) => dashboard.role,
    card: 'chip',
  },
  {
    header: 'Quién lo ve',
    cell: (dashboard) => (
      <span className="line-clamp-2 min-w-28 wrap-anywhere narrow:line-clamp-none">{audienceOf(dashboard)}</span>
    ),
    title: audienceOf,
    sort: audienceOf,
    card: 'meta',
    brief: audienceOf,
    wrap: true,
  },
  {
    header: 'Fecha de Creación',
    cell: (dashboard) => <LongDay value={dashboard.created_at} />,
    sort: (dashboard) => dashboard.created_at,
    secondary: true,
  },
]

const NO_FILTERS = { q: '', rol: '' }

type Open = { kind: 'create' } | { kind: 'view' | 'edit' | 'delete'; dashboard: ExternalDashboard }

export default function AdminDashboardsPage() {
  const [open, setOpen] = useState<Open>()
  const list = useQuery(externalDashboardsQuery())
  const refuse = useRefusal()
  const { filters, change, active } = useUrlFilters(NO_FILTERS)
  const shown = useCallback(
    (dashboard: ExternalDashboard) =>
      (filters.rol === '' || dashboard.role === filters.rol) &&
      matches(filters.q, [dashboard.name, dashboard.description, dashboard.iframe_url, audienceOf(dashboard)]),
    [filters],
  )
  const create = (
    <Button
      variant="primary"
      icon={Plus}
      onClick={() => setOpen({ kind: 'create' })}
      disabledReason={refuse(dashboards.create)}
    >
      Nuevo Dashboard
    </Button>
  )
  return (
    <Page
      title="Dashboards externos"
      description="Tableros de otras herramientas que emisores y afiliados eligen en su Dashboard."
      count={list.data && counted(list.data.filter(shown).length, 'dashboard', 'dashboards')}
      action={create}
      filters={
        <>
          <SearchField value={filters.q} onChange={(q) => change({ q })} placeholder="Buscar por nombre o empresa..." />
          <RoleFilter value={filters.rol} onChange={(rol) => change({ rol })} />
        </>
      }
    >
      <DataTable
        query={list}
        columns={columns}
        filter={active ? shown : undefined}
        loading="Cargando dashboards..."
        errorText="Error al cargar los dashboards"
        empty="No hay dashboards de otras herramientas"
        emptyHint="Los de Afluente ya están en el Dashboard de cada quien. Agrega aquí los de Metabase, Looker Studio y similares."
        emptyIcon={Gauge}
        emptyAction={create}
        emptySearch="No se encontraron resultados para la búsqueda"
        actions={(dashboard) => [
          viewAction(() => setOpen({ kind: 'view', dashboard }), { label: `Ver ${dashboard.name}`, main: true }),
          editAction(() => setOpen({ kind: 'edit', dashboard }), {
            label: `Editar ${dashboard.name}`,
            main: true,
            disabledReason: refuse(dashboards.update),
          }),
          deleteAction(() => setOpen({ kind: 'delete', dashboard }), {
            label: `Eliminar ${dashboard.name}`,
            disabledReason: refuse(dashboards.remove),
          }),
        ]}
        actionsOf={({ name }) => `de ${name}`}
      />
      {!list.isPending && <NothingAllowed />}
      <OpenDialog open={open} onClose={() => setOpen(undefined)} />
    </Page>
  )
}

function OpenDialog({ open, onClose }: { open: Open | undefined; onClose: () => void }) {
  switch (open?.kind) {
    case undefined:
      return null
    case 'create':
      return <DashboardCreateDialog onClose={onClose} />
    case 'view':
      return <DashboardViewDialog dashboard={open.dashboard} onClose={onClose} />
    case 'edit':
      return <DashboardEditDialog dashboard={open.dashboard} onClose={onClose} />
    case 'delete':
      return <DashboardRemoveDialog dashboard={open.dashboard} onClose={onClose} />
  }
}

/** Shown below the list once it has loaded, so that nothing moves. Only the operator can change it. */
function NothingAllowed() {
  const { data } = useQuery(originsQuery())
  if (data?.length !== 0) return null
  return (
    <p className="mt-4 flex gap-2.5 rounded-xl border border-info-soft bg-info-soft px-4 py-3 text-info-ink">
      <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0">
        Aún no hay orígenes permitidos. Quien opera el servidor debe indicar los de sus herramientas en la variable{' '}
        <code className="font-semibold wrap-anywhere">DASHBOARD_ORIGINS</code>, por ejemplo{' '}
        <code className="wrap-anywhere">https://tableros.ejemplo.mx</code>, y reiniciarlo.
      </span>
    </p>
  )
}

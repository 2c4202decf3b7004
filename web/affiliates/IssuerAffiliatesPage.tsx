import { useQuery } from '@tanstack/react-query'
import { UserRound, Users } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { Affiliate } from '#contract/affiliates.ts'
import { exports } from '#contract/exports.ts'
import { Page } from '#web/shell/Page.tsx'
import { type Column, viewAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { SearchField } from '#web/table/SearchField.tsx'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { counted, formatNumber } from '#web/ui/format.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { matches } from '#web/ui/matches.ts'
import { StatCard, StatRow } from '#web/ui/StatCard.tsx'
import { affiliatesQuery } from './queries.ts'

const AffiliateDetailDialog = laterDialog(
  async () => (await import('./AffiliateDetailDialog.tsx')).AffiliateDetailDialog,
)

const usersOf = (affiliate: Affiliate): number => affiliate.users?.length ?? 0

const columns: Column<Affiliate>[] = [
  {
    header: 'Empresa',
    cell: (affiliate) => <span className="font-medium">{affiliate.company_name}</span>,
    title: (affiliate) => affiliate.company_name,
    sort: (affiliate) => affiliate.company_name,
    width: 'max-w-80',
    card: 'title',
  },
  {
    header: 'Contacto',
    cell: (affiliate) => affiliate.contact_name,
    sort: (affiliate) => affiliate.contact_name,
    card: 'meta',
  },
  {
    header: 'Usuarios',
    cell: (affiliate) => formatNumber(usersOf(affiliate)),
    sort: usersOf,
    align: 'right',
    card: 'chip',
    brief: (affiliate) => counted(usersOf(affiliate), 'usuario', 'usuarios'),
  },
  {
    header: 'ID de Relación',
    cell: (affiliate) => affiliate.relationship_id ?? '-',
    sort: (affiliate) => affiliate.relationship_id,
    align: 'right',
    card: 'meta',
    brief: (affiliate) => affiliate.relationship_id && `Relación ${affiliate.relationship_id}`,
  },
]

const NO_FILTERS = { q: '' }

export default function IssuerAffiliatesPage() {
  const [open, setOpen] = useState<Affiliate>()
  const list = useQuery(affiliatesQuery())
  const { filters, change, active } = useUrlFilters(NO_FILTERS)
  const shown = useCallback(
    (affiliate: Affiliate) => matches(filters.q, [affiliate.company_name, affiliate.contact_name]),
    [filters],
  )
  return (
    <Page
      title="Red de Afiliados Asociados"
      description="Quienes promueven tus productos."
      action={<ExportMenu of={exports.affiliates} query={{ search: filters.q }} />}
    >
      <Counters affiliates={list.data} failed={list.isError} />
      <SearchField
        value={filters.q}
        onChange={(q) => change({ q })}
        placeholder="Buscar por empresa o contacto..."
        className="mt-6 mb-4"
      />
      <DataTable
        query={{ ...list, refetch: () => location.reload() }}
        columns={columns}
        own
        filter={active ? shown : undefined}
        loading="Cargando afiliados..."
        errorText="Error al cargar afiliados"
        empty="Sin afiliados asociados"
        emptyHint="Las relaciones con afiliados las gestiona el administrador. Contáctalo para sumar al primero."
        emptyIcon={Users}
        emptySearch="No se encontraron afiliados que coincidan con la búsqueda"
        actions={(affiliate) => [
          viewAction(() => setOpen(affiliate), { label: `Ver detalles de ${affiliate.company_name}` }),
        ]}
      />
      {open && <AffiliateDetailDialog affiliate={open} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}

function Counters({ affiliates, failed }: { affiliates: readonly Affiliate[] | undefined; failed: boolean }) {
  const unknown = failed ? '-' : undefined
  const users = affiliates?.reduce((total, affiliate) => total + usersOf(affiliate), 0)
  return (
    <StatRow label="Tu red" count={2} busy={!affiliates && !failed}>
      <StatCard
        label="Total de afiliados"
        icon={Users}
        value={affiliates ? formatNumber(affiliates.length) : unknown}
      />
      <StatCard
        label="Total de usuarios"
        icon={UserRound}
        value={users === undefined ? unknown : formatNumber(users)}
      />
    </StatRow>
  )
}

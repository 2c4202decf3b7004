import { useQuery } from '@tanstack/react-query'
import { CalendarClock, CopyPlus, HandCoins, History, Package, Plus } from 'lucide-react'
import { useCallback, useState } from 'react'
import { type Commission, commissions } from '#contract/commissions.ts'
import { exports } from '#contract/exports.ts'
import { rates } from '#contract/rates.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { Page } from '#web/shell/Page.tsx'
import { type Column, deleteAction, editAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { SearchField } from '#web/table/SearchField.tsx'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Button } from '#web/ui/Button.tsx'
import { Day } from '#web/ui/dates.tsx'
import { counted } from '#web/ui/format.ts'
import { matches } from '#web/ui/matches.ts'
import { CommissionGaps } from './CommissionGaps.tsx'
import {
  CommissionCreateDialog,
  CommissionEditDialog,
  CommissionHistoryDialog,
  CommissionRemoveDialog,
  CopyDialog,
  RateDialog,
} from './dialogs.ts'
import { Payout } from './Payout.tsx'
import { ProductRates } from './ProductRates.tsx'
import { commissionGapsQuery, commissionsQuery } from './queries.ts'
import { scopeOf } from './rate-scope.ts'

const columns: Column<Commission>[] = [
  {
    header: 'Nombre',
    cell: (commission) => <span className="font-medium">{commission.name}</span>,
    title: (commission) => commission.description || commission.name,
    sort: (commission) => commission.name,
    card: 'title',
  },
  {
    header: 'Producto',
    cell: (commission) => commission.product_name,
    sort: (commission) => commission.product_name,
    card: 'meta',
  },
  {
    header: 'Afiliado',
    cell: (commission) => commission.affiliate_name,
    sort: (commission) => commission.affiliate_name,
    card: 'meta',
  },
  {
    header: 'Comisión',
    cell: (commission) => <Payout of={commission} />,
    sort: (commission) => Number(commission.payout),
    align: 'right',
    card: 'amount',
  },
  {
    header: 'Fecha',
    cell: (commission) => <Day value={commission.created_at} />,
    sort: (commission) => commission.created_at,
    secondary: true,
    card: 'meta',
  },
]

const NO_FILTERS = { q: '' }

type Open =
  | { kind: 'create' | 'default' }
  | { kind: 'history' | 'rate' | 'copy' | 'edit' | 'delete'; commission: Commission }

export default function IssuerCommissionsPage() {
  const [open, setOpen] = useState<Open>()
  const refuse = useRefusal()
  const list = useQuery(commissionsQuery())
  const gaps = useQuery(commissionGapsQuery())
  // What stands above the list comes with it: later, it would push the rows down.
  const rows = gaps.isPending ? undefined : list.data
  const { filters, change, active } = useUrlFilters(NO_FILTERS)
  const close = () => setOpen(undefined)
  const shown = useCallback(
    (commission: Commission) =>
      matches(filters.q, [commission.name, commission.product_name, commission.affiliate_name]),
    [filters],
  )
  const create = (
    <Button
      variant="primary"
      icon={Plus}
      onClick={() => setOpen({ kind: 'create' })}
      disabledReason={refuse(commissions.create)}
    >
      Nueva Comisión
    </Button>
  )
  return (
    <Page
      title="Comisiones"
      description="Lo que pagas a cada afiliado cuando un lead llega a un paso que genera comisión."
      count={list.data && counted(list.data.filter(shown).length, 'comisión', 'comisiones')}
      action={
        <>
          <ExportMenu of={exports.commissions} query={{ search: filters.q }} />
          <Button icon={Package} onClick={() => setOpen({ kind: 'default' })} disabledReason={refuse(rates.create)}>
            Tarifa general del producto
          </Button>
          {create}
        </>
      }
      filters={
        <SearchField
          value={filters.q}
          onChange={(q) => change({ q })}
          placeholder="Buscar por nombre, producto o afiliado..."
        />
      }
    >
      <CommissionGaps q={filters.q} />
      <DataTable
        key={gaps.isPending ? 'waiting' : 'there'}
        query={{ ...list, data: rows }}
        columns={columns}
        own
        filter={active ? shown : undefined}
        loading="Cargando comisiones..."
        errorText="Error al cargar las comisiones"
        empty="No hay comisiones configuradas"
        emptyHint="Sin comisión configurada, un lead que convierte no genera pago."
        emptyIcon={HandCoins}
        emptyAction={create}
        emptySearch="No se encontraron comisiones que coincidan con la búsqueda"
        actions={(commission) => [
          {
            label: `Historial de montos de ${commission.name}`,
            icon: History,
            onClick: () => setOpen({ kind: 'history', commission }),
          },
          {
            label: `Programar cambio de ${commission.name}`,
            icon: CalendarClock,
            onClick: () => setOpen({ kind: 'rate', commission }),
            disabledReason: refuse(rates.create),
          },
          {
            label: `Copiar ${commission.name} a más afiliados`,
            icon: CopyPlus,
            onClick: () => setOpen({ kind: 'copy', commission }),
            disabledReason: refuse(commissions.copy),
          },
          editAction(() => setOpen({ kind: 'edit', commission }), { label: `Editar ${commission.name}` }),
          deleteAction(() => setOpen({ kind: 'delete', commission }), {
            label: `Eliminar ${commission.name}`,
            disabledReason: refuse(commissions.remove),
          }),
        ]}
        actionsOf={({ name }) => `de ${name}`}
      />
      <ProductRates waits={!rows && !list.isError} />
      {open?.kind === 'create' && <CommissionCreateDialog onClose={close} />}
      {open?.kind === 'history' && <CommissionHistoryDialog commission={open.commission} onClose={close} />}
      {open?.kind === 'rate' && <RateDialog scope={scopeOf(open.commission)} onClose={close} />}
      {open?.kind === 'default' && <RateDialog onClose={close} />}
      {open?.kind === 'copy' && <CopyDialog commission={open.commission} onClose={close} />}
      {open?.kind === 'edit' && <CommissionEditDialog commission={open.commission} onClose={close} />}
      {open?.kind === 'delete' && <CommissionRemoveDialog commission={open.commission} onClose={close} />}
    </Page>
  )
}

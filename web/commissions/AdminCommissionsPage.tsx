import { useQuery } from '@tanstack/react-query'
import { CalendarClock, CopyPlus, HandCoins, History, Package, Plus } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { type Commission, type CommissionGap, commissions } from '#contract/commissions.ts'
import { exports } from '#contract/exports.ts'
import { rates } from '#contract/rates.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { Page } from '#web/shell/Page.tsx'
import { type Column, deleteAction, editAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { FilterBar } from '#web/table/FilterBar.tsx'
import { IdFilter } from '#web/table/IdFilter.tsx'
import { useUrlFilters } from '#web/table/use-url-filters.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Company } from '#web/ui/Company.tsx'
import { Day } from '#web/ui/dates.tsx'
import { counted, formatNumber } from '#web/ui/format.ts'
import { optionsByName } from '#web/ui/option.ts'
import { Select } from '#web/ui/Select.tsx'
import { configureAction, UnpaidEvents } from './CommissionGaps.tsx'
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

/** What an affiliate is paid for a product, or that nothing is set. */
type Row = Commission | CommissionGap
const isSet = (row: Row): row is Commission => 'payout' in row

const columns: Column<Row>[] = [
  { header: 'Emisor', cell: (row) => <Company name={row.issuer_name} />, sort: (row) => row.issuer_name, card: 'meta' },
  { header: 'Producto', cell: (row) => row.product_name, sort: (row) => row.product_name, card: 'meta' },
  {
    header: 'Afiliado',
    cell: (row) => <Company name={row.affiliate_name} />,
    sort: (row) => row.affiliate_name,
    card: 'title',
  },
  {
    header: 'Comisión',
    cell: (row) => (isSet(row) ? <Payout of={row} /> : <Badge tone="danger">Sin comisión</Badge>),
    sort: (row) => (isSet(row) ? Number(row.payout) : -1),
    align: 'right',
    card: 'amount',
  },
  {
    header: 'Eventos sin comisión',
    cell: (row) => (isSet(row) ? <span className="text-muted">-</span> : <UnpaidEvents gap={row} />),
    sort: (row) => (isSet(row) ? -1 : row.unpaid_events),
    align: 'right',
    secondary: true,
  },
  {
    header: 'Desde',
    cell: (row) => <Day value={isSet(row) ? row.created_at : row.unpaid_since} missing="-" />,
    sort: (row) => (isSet(row) ? row.created_at : row.unpaid_since),
    secondary: true,
  },
]

const states = [
  { value: '', label: 'Todas' },
  { value: 'configurada', label: 'Configuradas' },
  { value: 'falta', label: 'Sin comisión' },
]
const NO_FILTERS = { emisor: '', afiliado: '', producto: '', estado: '' }

type Open =
  | { kind: 'create'; of?: CommissionGap }
  | { kind: 'default' }
  | { kind: 'history' | 'rate' | 'copy' | 'edit' | 'delete'; commission: Commission }

export default function AdminCommissionsPage() {
  const [open, setOpen] = useState<Open>()
  const refuse = useRefusal()
  const [set, missing] = [useQuery(commissionsQuery()), useQuery(commissionGapsQuery())]
  const { filters, change, clear, count, active } = useUrlFilters(NO_FILTERS)
  const close = () => setOpen(undefined)
  const rows = useMemo<Row[] | undefined>(
    () => set.data && missing.data && [...missing.data, ...set.data],
    [set.data, missing.data],
  )
  const shown = useCallback(
    (row: Row) =>
      isChosen(filters.emisor, row.issuer) &&
      isChosen(filters.afiliado, row.affiliate) &&
      isChosen(filters.producto, row.product) &&
      (filters.estado === '' || isSet(row) === (filters.estado === 'configurada')),
    [filters],
  )
  const left = rows?.filter(shown)
  const configured = left?.filter(isSet).length ?? 0
  const failed = set.isError ? set : missing
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
      description="Lo que gana cada afiliado por cada producto, y dónde falta configurarlo."
      count={
        left &&
        `${counted(configured, 'configurada', 'configuradas')} · ${formatNumber(left.length - configured)} sin comisión`
      }
      action={
        <>
          <ExportMenu
            of={exports.commissions}
            query={{ issuer_id: filters.emisor, product_id: filters.producto, affiliate_id: filters.afiliado }}
            disabledReason={filters.estado === 'falta' ? 'Se exportan solo las comisiones configuradas' : undefined}
          />
          <Button icon={Package} onClick={() => setOpen({ kind: 'default' })} disabledReason={refuse(rates.create)}>
            Tarifa general del producto
          </Button>
          {create}
        </>
      }
      filters={
        <FilterBar count={count} onClear={clear} found={left && counted(left.length, 'comisión', 'comisiones')}>
          <Filters rows={rows ?? []} filters={filters} onChange={change} />
        </FilterBar>
      }
    >
      <DataTable
        query={{ ...failed, data: rows }}
        columns={columns}
        own
        rowKey={(row) => (isSet(row) ? `comision ${row.id}` : row.id)}
        filter={active ? shown : undefined}
        loading="Cargando comisiones..."
        errorText="Error al cargar las comisiones"
        empty="No hay comisiones configuradas"
        emptyHint="Sin comisión configurada, un lead que convierte no genera pago."
        emptyIcon={HandCoins}
        emptyAction={create}
        emptySearch="No se encontraron comisiones con esos filtros"
        actions={(row) =>
          isSet(row)
            ? [
                {
                  label: `Historial de montos de ${row.name}`,
                  icon: History,
                  onClick: () => setOpen({ kind: 'history', commission: row }),
                },
                {
                  label: `Programar cambio de ${row.name}`,
                  icon: CalendarClock,
                  onClick: () => setOpen({ kind: 'rate', commission: row }),
                  disabledReason: refuse(rates.create),
                },
                {
                  label: `Copiar ${row.name} a más afiliados`,
                  icon: CopyPlus,
                  onClick: () => setOpen({ kind: 'copy', commission: row }),
                  disabledReason: refuse(commissions.copy),
                },
                editAction(() => setOpen({ kind: 'edit', commission: row }), { label: `Editar ${row.name}` }),
                deleteAction(() => setOpen({ kind: 'delete', commission: row }), {
                  label: `Eliminar ${row.name}`,
                  disabledReason: refuse(commissions.remove),
                }),
              ]
            : [configureAction(row, () => setOpen({ kind: 'create', of: row }), refuse(commissions.create))]
        }
        actionsOf={(row) => `de ${isSet(row) ? row.name : row.product_name}`}
      />
      <ProductRates withIssuer waits={!rows && !failed.isError} />
      {open?.kind === 'create' && <CommissionCreateDialog of={open.of} onClose={close} />}
      {open?.kind === 'history' && <CommissionHistoryDialog commission={open.commission} onClose={close} />}
      {open?.kind === 'rate' && <RateDialog scope={scopeOf(open.commission)} onClose={close} />}
      {open?.kind === 'default' && <RateDialog onClose={close} />}
      {open?.kind === 'copy' && <CopyDialog commission={open.commission} onClose={close} />}
      {open?.kind === 'edit' && <CommissionEditDialog commission={open.commission} onClose={close} />}
      {open?.kind === 'delete' && <CommissionRemoveDialog commission={open.commission} onClose={close} />}
    </Page>
  )
}

const isChosen = (choice: string, id: number): boolean => choice === '' || choice === String(id)

interface FiltersProps {
  rows: readonly Row[]
  filters: typeof NO_FILTERS
  onChange: (filters: Partial<typeof NO_FILTERS>) => void
}

function Filters({ rows, filters, onChange }: FiltersProps) {
  const pickers = [
    { name: 'emisor', label: 'Emisor', all: 'Todos los emisores', of: (row: Row) => [row.issuer, row.issuer_name] },
    {
      name: 'producto',
      label: 'Producto',
      all: 'Todos los productos',
      of: (row: Row) => [row.product, row.product_name],
    },
    {
      name: 'afiliado',
      label: 'Afiliado',
      all: 'Todos los afiliados',
      of: (row: Row) => [row.affiliate, row.affiliate_name],
    },
  ] as const
  return (
    <>
      {pickers.map(({ name, label, all, of }) => (
        <IdFilter
          key={name}
          label={label}
          all={all}
          options={optionsByName(rows.map((row) => of(row) as [number, string]))}
          value={filters[name]}
          onChange={(id) => onChange({ [name]: id })}
        />
      ))}
      <Select
        aria-label="Estado"
        options={states}
        value={filters.estado}
        onChange={(estado) => onChange({ estado })}
        className="w-full sm:w-44"
      />
    </>
  )
}

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Commission } from '#contract/commissions.ts'
import type { RateChange, RateInForce } from '#contract/rates.ts'
import { actorOf } from '#web/audit-log/actor.ts'
import { Upcoming } from '#web/rates/Upcoming.tsx'
import type { Column } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DayTime } from '#web/ui/dates.tsx'
import { Money } from '#web/ui/Money.tsx'
import { commissionHistoryQuery, rateHistoryQuery } from './queries.ts'

const columns: Column<RateChange>[] = [
  {
    header: 'Fecha',
    cell: (change) => (
      <span className="inline-flex flex-wrap items-center gap-x-2">
        <DayTime value={change.changed_at} />
        <Upcoming since={change.changed_at} />
      </span>
    ),
  },
  {
    header: 'Monto anterior',
    cell: (change) => <Money value={change.from} missing="Ninguno" className="text-muted" />,
    align: 'right',
  },
  {
    header: 'Monto nuevo',
    cell: (change) => <Money value={change.to} missing="Sin comisión" className="font-medium" />,
    align: 'right',
  },
  { header: 'Quién', cell: actorOf, wrap: true },
]

const byStep: Column<RateChange>[] = [
  { header: 'Paso', cell: (change) => change.step_name ?? <span className="text-muted">Todos</span>, wrap: true },
]

/** Every amount that the affiliate has had for the product, the latest first. */
export function CommissionHistoryDialog({ commission, onClose }: { commission: Commission; onClose: () => void }) {
  const { id, name, product_name, affiliate_name } = commission
  return (
    <HistoryDialog name={name} query={useQuery(commissionHistoryQuery(id))} onClose={onClose}>
      <Fact label="Producto">{product_name}</Fact>
      <Fact label="Afiliado">{affiliate_name}</Fact>
    </HistoryDialog>
  )
}

/** Of the default of a product, with its steps, or of the amount of one step. */
export function RateHistoryDialog({ rate, onClose }: { rate: RateInForce; onClose: () => void }) {
  const { id, product_name, affiliate_name, step_name } = rate
  const name = step_name === null ? 'Tarifa general del producto' : 'Monto de un paso'
  return (
    <HistoryDialog name={name} query={useQuery(rateHistoryQuery(id))} onClose={onClose}>
      <Fact label="Producto">{product_name}</Fact>
      <Fact label="Afiliado">{affiliate_name ?? 'Todos sin comisión propia'}</Fact>
      {step_name !== null && <Fact label="Paso">{step_name}</Fact>}
    </HistoryDialog>
  )
}

interface Props {
  name: string
  query: UseQueryResult<RateChange[]>
  onClose: () => void
  /** Of what. */
  children: ReactNode
}

function HistoryDialog({ name, query, onClose, children }: Props) {
  return (
    <Dialog
      title="Historial de montos"
      description={<span className="wrap-anywhere">{name}</span>}
      size="lg"
      onClose={onClose}
      footer={<Button onClick={onClose}>Cerrar</Button>}
    >
      <div className="grid gap-5 pt-2">
        <Facts>{children}</Facts>
        <p className="text-muted">
          Cada lead gana el mejor de dos montos: el vigente en su clic y el vigente en su evento. Lo ya devengado
          conserva el suyo.
        </p>
        <DataTable
          query={query}
          columns={query.data?.some((change) => change.step_name !== null) ? [...columns, ...byStep] : columns}
          label="Historial de montos"
          loading="Cargando historial..."
          errorText="Error al cargar el historial"
          empty="No hay montos registrados"
          emptyIcon={History}
          skeletonRows={2}
        />
      </div>
    </Dialog>
  )
}

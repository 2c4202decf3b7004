import { useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import type { Rate } from '#contract/rates.ts'
import type { Column } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { DayTime } from '#web/ui/dates.tsx'
import { Money } from '#web/ui/Money.tsx'
import { ratesQuery } from './queries.ts'
import { Upcoming } from './Upcoming.tsx'

const columns: Column<Rate>[] = [
  {
    header: 'Desde',
    cell: (rate) => (
      <span className="inline-flex flex-wrap items-center gap-x-2">
        <DayTime value={rate.valid_from} />
        <Upcoming since={rate.valid_from} />
      </span>
    ),
  },
  {
    header: 'Monto anterior',
    cell: (rate) => <Money value={rate.from} missing="Ninguno" className="text-muted" />,
    align: 'right',
  },
  {
    header: 'Monto',
    cell: (rate) => <Money value={rate.to} missing="Sin comisión" className="font-medium" />,
    align: 'right',
  },
]

const byStep: Column<Rate>[] = [
  { header: 'Paso', cell: (rate) => rate.step_name ?? <span className="text-muted">Todos</span>, wrap: true },
]

/** What a product has paid the affiliate that looks at it, the latest first. */
export function RateHistory({ productId }: { productId: number }) {
  const query = useQuery(ratesQuery(productId))
  return (
    <DataTable
      query={query}
      columns={query.data?.some((rate) => rate.step !== null) ? [...columns, ...byStep] : columns}
      // One change of all steps may also be one of a step that had its own amount.
      rowKey={(rate) => `${rate.id} ${rate.step}`}
      label="Historial de tu comisión"
      loading="Cargando historial..."
      errorText="Error al cargar el historial"
      empty="Este producto no te ha pagado comisión"
      emptyIcon={History}
      skeletonRows={2}
    />
  )
}

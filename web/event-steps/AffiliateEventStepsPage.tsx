import { useQuery } from '@tanstack/react-query'
import { Milestone } from 'lucide-react'
import { useMemo } from 'react'
import type { EventStep } from '#contract/event-steps.ts'
import { exports } from '#contract/exports.ts'
import type { Product } from '#contract/products.ts'
import { OwnCommission, stepCommission } from '#web/products/OwnCommission.tsx'
import { productsQuery } from '#web/products/queries.ts'
import { Page } from '#web/shell/Page.tsx'
import type { Column } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { EventTypeLabel } from './EventTypeLabel.tsx'
import { FlowPickers } from './FlowPickers.tsx'
import { flowQuery } from './flow-query.ts'
import { eventStepsQuery } from './queries.ts'
import { useFlowChoice } from './use-flow-choice.ts'

const columnsOf = (commission: Product['commission']): Column<EventStep>[] => [
  {
    header: 'Orden',
    cell: (step) => <span className="whitespace-nowrap tabular-nums">{step.step_order}</span>,
    card: 'start',
  },
  {
    header: 'Nombre',
    cell: (step) => <span className="font-medium">{step.name}</span>,
    title: (step) => step.name,
    card: 'title',
  },
  { header: 'Tipo de Evento', cell: (step) => <EventTypeLabel name={step.event_type_name} />, card: 'meta' },
  {
    header: 'Descripción',
    cell: (step) => step.description || <span className="text-muted">Sin descripción</span>,
    wrap: true,
    card: 'line',
  },
  {
    header: 'Comisión',
    cell: (step) =>
      step.is_payout_event ? (
        <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1">
          <Badge tone="money">Genera Comisión</Badge>
          <OwnCommission of={stepCommission(commission, step.id)} />
        </span>
      ) : (
        <Badge>Solo Tracking</Badge>
      ),
    card: 'line',
  },
]

export default function AffiliateEventStepsPage() {
  const products = useQuery(productsQuery())
  const list = useQuery(eventStepsQuery())
  const flow = useFlowChoice(products.data ?? [])
  const rows = useMemo(
    () =>
      list.data
        ?.filter((step) => step.product_id === flow.product)
        .sort((a, b) => a.step_order - b.step_order || a.id - b.id),
    [list.data, flow.product],
  )
  const commission = products.data?.find(({ id }) => id === flow.product)?.commission
  const columns = useMemo(() => columnsOf(commission), [commission])
  return (
    <Page
      title="Eventos"
      description="Los pasos por los que pasa cada lead tuyo y cuáles te generan comisión."
      action={<ExportMenu of={exports.eventSteps} query={{ product_id: flow.product }} />}
      filters={<FlowPickers flow={flow} className="w-full sm:w-64" />}
    >
      <DataTable
        query={flowQuery(products, list, rows)}
        columns={columns}
        loading="Cargando eventos..."
        errorText="Error al cargar los eventos"
        empty="No hay eventos configurados para este producto"
        emptyHint="El administrador configura el flujo de cada producto."
        emptyIcon={Milestone}
      />
    </Page>
  )
}

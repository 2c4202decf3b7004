import { useQuery } from '@tanstack/react-query'
import { Milestone } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { EventStep } from '#contract/event-steps.ts'
import { exports } from '#contract/exports.ts'
import { productsQuery } from '#web/products/queries.ts'
import { Page } from '#web/shell/Page.tsx'
import { type Column, viewAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { SearchField } from '#web/table/SearchField.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Fact, Facts } from '#web/ui/Card.tsx'
import { Copyable } from '#web/ui/CopyButton.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { LongDayTime } from '#web/ui/dates.tsx'
import { counted } from '#web/ui/format.ts'
import { matches } from '#web/ui/matches.ts'
import { EventTypeLabel } from './EventTypeLabel.tsx'
import { FlowPickers } from './FlowPickers.tsx'
import { flowQuery } from './flow-query.ts'
import { eventStepsQuery } from './queries.ts'
import { useFlowChoice } from './use-flow-choice.ts'

const StepBadge = ({ step }: { step: EventStep }) =>
  step.is_payout_event ? <Badge tone="money">💰 Comisión</Badge> : <Badge>ℹ️ Info</Badge>

const columns: Column<EventStep>[] = [
  { header: 'ID Producto', cell: (step) => <span className="whitespace-nowrap tabular-nums">{step.product_id}</span> },
  { header: 'Tipo de Evento', cell: (step) => <EventTypeLabel name={step.event_type_name} />, card: 'meta' },
  {
    header: 'Nombre',
    cell: (step) => <span className="font-medium">{step.name}</span>,
    title: (step) => step.name,
    card: 'title',
  },
  { header: 'Estado', cell: (step) => <StepBadge step={step} />, card: 'chip' },
]

export default function IssuerEventStepsPage() {
  const [open, setOpen] = useState<EventStep>()
  const products = useQuery(productsQuery())
  const list = useQuery(eventStepsQuery())
  const flow = useFlowChoice(products.data ?? [])
  const { product, search, onSearch } = flow
  const rows = useMemo(
    () =>
      list.data
        ?.filter((step) => step.product_id === product && matches(search, [step.name, step.event_type_name]))
        .sort((a, b) => a.step_order - b.step_order || a.id - b.id),
    [list.data, product, search],
  )
  return (
    <Page
      title="Consulta de Eventos por Producto"
      description="Los pasos que tu sistema reporta de cada lead."
      count={rows && counted(rows.length, 'evento', 'eventos')}
      action={<ExportMenu of={exports.eventSteps} query={{ product_id: product, search }} />}
      filters={
        <>
          <FlowPickers flow={flow} className="w-full sm:w-72" ofIssuer />
          <SearchField value={search} onChange={onSearch} placeholder="Buscar por nombre o tipo de evento..." />
        </>
      }
    >
      <DataTable
        query={flowQuery(products, list, rows)}
        columns={columns}
        filtered={search !== ''}
        loading="Cargando eventos..."
        errorText="Error al cargar los eventos"
        empty="No hay eventos configurados para este producto"
        emptyHint="Los eventos se configuran desde el panel de administración"
        emptyIcon={Milestone}
        emptySearch="No se encontraron eventos que coincidan con la búsqueda"
        actions={(step) => [viewAction(() => setOpen(step), { label: `Ver detalles de ${step.name}` })]}
      />
      {open && <EventStepDialog step={open} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}

const EventStepDialog = ({ step, onClose }: { step: EventStep; onClose: () => void }) => (
  <Dialog title={step.name} onClose={onClose} footer={<Button onClick={onClose}>Cerrar</Button>}>
    <Facts className="pt-2">
      <Fact label="ID">
        <Copyable
          text={String(step.id)}
          label="Copiar ID"
          copied="ID copiado"
          failed="Error al copiar la información"
        />
      </Fact>
      <Fact label="Orden en el flujo">{step.step_order}</Fact>
      <Fact label="Nombre">{step.name}</Fact>
      <Fact label="Tipo de Evento">
        <EventTypeLabel name={step.event_type_name} />
      </Fact>
      <Fact label="Descripción" wide>
        {step.description || 'Sin descripción'}
      </Fact>
      <Fact label="ID Producto">{step.product_id}</Fact>
      <Fact label="Producto">{step.product_name}</Fact>
      <Fact label="Comisión">{step.is_payout_event ? 'Genera comisión' : 'Informativo'}</Fact>
      <Fact label="ID del Tipo de Evento">{step.event_type_id}</Fact>
      <Fact label="Fecha de Creación">
        <LongDayTime value={step.created_at} />
      </Fact>
      <Fact label="Última Actualización">
        <LongDayTime value={step.updated_at} />
      </Fact>
    </Facts>
  </Dialog>
)

import { useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Milestone, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type EventStep, eventSteps } from '#contract/event-steps.ts'
import { exports } from '#contract/exports.ts'
import type { RateInForce } from '#contract/rates.ts'
import { useRefusal } from '#web/auth/rights.ts'
import { ratesInForceQuery } from '#web/commissions/queries.ts'
import { productsQuery } from '#web/products/queries.ts'
import { Page } from '#web/shell/Page.tsx'
import { type Column, deleteAction, editAction, type RowAction, refused } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { DragHandle } from '#web/table/DragHandle.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { SearchField } from '#web/table/SearchField.tsx'
import { type RowDrag, useRowDrag } from '#web/table/use-row-drag.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Day } from '#web/ui/dates.tsx'
import { counted, formatMoney } from '#web/ui/format.ts'
import { laterDialog } from '#web/ui/later.tsx'
import { matches } from '#web/ui/matches.ts'
import { RemoveDialog } from '#web/ui/RemoveDialog.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { EventTypeLabel } from './EventTypeLabel.tsx'
import { FlowPickers } from './FlowPickers.tsx'
import { flowQuery } from './flow-query.ts'
import { eventStepsQuery, eventTypesQuery, useRemoveEventStep } from './queries.ts'
import { ALL_PRODUCTS, type FlowChoice, useFlowChoice } from './use-flow-choice.ts'
import { useFlowOrder } from './use-flow-order.ts'

const EventStepCreateDialog = laterDialog(async () => (await import('./EventStepDialogs.tsx')).EventStepCreateDialog)
const EventStepEditDialog = laterDialog(async () => (await import('./EventStepDialogs.tsx')).EventStepEditDialog)

type Open = { kind: 'create' } | { kind: 'edit' | 'delete'; step: EventStep }

export default function AdminEventStepsPage() {
  const [open, setOpen] = useState<Open>()
  const products = useQuery(productsQuery())
  const list = useQuery(eventStepsQuery())
  // All that is done with a step needs the same duty.
  const refusal = useRefusal()(eventSteps.update)
  const flow = useFlowChoice(products.data ?? [])
  const order = useFlowOrder(list.data)
  const shown = useShownSteps(order.steps, flow)
  const drag = useRowDrag({
    rows: shown ?? [],
    nameOf: ({ name }) => name,
    disabledReason: refusal ?? (order.busy ? REORDERING : undefined),
    onDrop: order.move,
  })
  // Steps can be dragged only when the whole flow of one product is shown.
  const whole = flow.product !== ALL_PRODUCTS && flow.search === '' && (shown?.length ?? 0) > 1
  const columns = useColumns(flow.product === ALL_PRODUCTS, whole ? drag : undefined)
  const close = () => setOpen(undefined)
  const create = (
    <Button variant="primary" icon={Plus} onClick={() => setOpen({ kind: 'create' })} disabledReason={refusal}>
      Nuevo Paso
    </Button>
  )
  const edit = { main: true, disabledReason: order.busy ? REORDERING : undefined }
  return (
    <Page
      title="Eventos"
      description="El flujo de cada producto: los pasos que el emisor reporta y los que generan comisión."
      count={shown && counted(shown.length, 'paso', 'pasos')}
      action={
        <>
          <ExportMenu
            of={exports.eventSteps}
            query={{
              issuer_id: flow.issuer,
              product_id: flow.product === ALL_PRODUCTS ? '' : flow.product,
              search: flow.search,
            }}
          />
          {create}
        </>
      }
      filters={
        <>
          <FlowPickers flow={flow} className="w-full sm:w-60" withAll />
          <SearchField
            value={flow.search}
            onChange={flow.onSearch}
            placeholder="Buscar por paso, producto, emisor o tipo..."
          />
        </>
      }
    >
      <DataTable
        query={flowQuery(products, list, shown)}
        columns={columns}
        filtered={flow.search !== ''}
        loading="Cargando eventos..."
        errorText="Error al cargar los eventos"
        empty="No hay eventos configurados"
        emptyHint="Agrega el primer paso del flujo de este producto."
        emptyIcon={Milestone}
        emptyAction={create}
        emptySearch="No se encontraron eventos que coincidan con la búsqueda"
        actions={(step) =>
          refused(
            [
              ...movesOf(step, order),
              editAction(() => setOpen({ kind: 'edit', step }), { ...edit, label: `Editar ${step.name}` }),
              deleteAction(() => setOpen({ kind: 'delete', step }), { label: `Eliminar ${step.name}` }),
            ],
            refusal,
          )
        }
        actionsOf={({ name }) => `de ${name}`}
      />
      <p aria-live="assertive" className="sr-only">
        {drag.announcement}
      </p>
      {open?.kind === 'create' && (
        <EventStepCreateDialog
          issuer={flow.issuer}
          product={flow.product === ALL_PRODUCTS ? undefined : flow.product}
          products={products.data ?? []}
          onClose={close}
        />
      )}
      {open?.kind === 'edit' && <EventStepEditDialog step={open.step} onClose={close} />}
      {open?.kind === 'delete' && <EventStepRemoveDialog step={open.step} onClose={close} />}
    </Page>
  )
}

/** The steps that match the choice and the search. */
function useShownSteps(steps: readonly EventStep[] | undefined, { issuer, product, search }: FlowChoice) {
  return useMemo(
    () =>
      steps?.filter(
        (step) =>
          step.issuer_id === issuer &&
          (product === ALL_PRODUCTS || step.product_id === product) &&
          matches(search, [step.name, step.product_name, step.issuer_name, step.event_type_name]),
      ),
    [steps, issuer, product, search],
  )
}

function useColumns(withProduct: boolean, drag: RowDrag<EventStep> | undefined): Column<EventStep>[] {
  const types = useQuery(eventTypesQuery()).data
  const typeName = (step: EventStep) =>
    types ? types.find(({ id }) => id === step.event_type_id)?.name : step.event_type_name
  return [
    { header: 'ID', cell: (step) => <span className="whitespace-nowrap tabular-nums">{step.id}</span> },
    ...(withProduct
      ? [{ header: 'Producto', cell: (step: EventStep) => step.product_name, card: 'meta' as const }]
      : []),
    { header: 'Orden', cell: (step) => <StepOrder step={step} drag={drag} />, wrap: true, card: 'start' },
    {
      header: 'Nombre',
      cell: (step) => <span className="font-medium">{step.name}</span>,
      title: (step) => step.description || step.name,
      card: 'title',
    },
    { header: 'Tipo de Evento', cell: (step) => <EventTypeLabel name={typeName(step)} />, card: 'meta' },
    {
      header: 'Comisión',
      cell: (step) => (
        <Badge tone={step.is_payout_event ? 'money' : 'neutral'}>{step.is_payout_event ? 'Sí' : 'No'}</Badge>
      ),
      card: 'chip',
      brief: (step) => step.is_payout_event && <Badge tone="money">Comisión</Badge>,
    },
    { header: 'Fecha', cell: (step) => <Day value={step.created_at} />, secondary: true },
  ]
}

const StepOrder = ({ step, drag }: { step: EventStep; drag: RowDrag<EventStep> | undefined }) => (
  <span className="inline-flex items-center gap-1 tabular-nums">
    {drag && <DragHandle row={step} drag={drag} />}
    {step.step_order}
  </span>
)

const REORDERING = 'Reordenando...'

/** Up and down swap a step with its neighbour. */
function movesOf(step: EventStep, { flowOf, busy, move }: ReturnType<typeof useFlowOrder>): RowAction[] {
  const flow = flowOf(step)
  const place = flow.findIndex(({ id }) => id === step.id)
  const reason = (isEnd: boolean, atEnd: string) => (busy ? REORDERING : isEnd ? atEnd : undefined)
  return [
    {
      label: `Subir ${step.name}`,
      icon: ArrowUp,
      main: true,
      disabledReason: reason(place === 0, 'Ya es el primer paso'),
      onClick: () => move(step, place - 1),
    },
    {
      label: `Bajar ${step.name}`,
      icon: ArrowDown,
      main: true,
      disabledReason: reason(place === flow.length - 1, 'Ya es el último paso'),
      onClick: () => move(step, place + 1),
    },
  ]
}

function EventStepRemoveDialog({ step, onClose }: { step: EventStep; onClose: () => void }) {
  return (
    <RemoveDialog remove={useRemoveEventStep()} id={step.id} onClose={onClose}>
      <p>
        Se quitará el paso <strong className="text-ink">{step.name}</strong> del flujo de {step.product_name}. El emisor
        ya no podrá reportarlo; los eventos que ya reportó se conservan.
      </p>
      <div aria-live="polite">
        <OwnAmounts step={step} />
      </div>
    </RemoveDialog>
  )
}

/** Read before they end with their step. */
function OwnAmounts({ step }: { step: EventStep }) {
  const { data, isError } = useQuery(ratesInForceQuery())
  if (!data)
    return isError ? (
      <p className="mt-2">No se pudo consultar si tiene montos propios. Si los tiene, terminan con él.</p>
    ) : (
      <p className="mt-2">
        <span className="sr-only">Consultando si tiene montos propios...</span>
        <Skeleton className="w-2/3" />
      </p>
    )
  const own = data.filter((rate) => rate.step === step.id)
  if (own.length === 0) return null
  return (
    <p className="mt-2 rounded-lg bg-money-soft px-3 py-2 text-money-ink">
      {`Con él ${own.length === 1 ? 'termina su monto propio' : `terminan sus ${own.length} montos propios`}: ${named(own)}. Un paso nuevo, aunque se llame igual, gana el monto de todos los pasos hasta que le fijes el suyo en Comisiones.`}
    </p>
  )
}

/** The first of them, as the list of rates says them. */
function named(rates: readonly RateInForce[]): string {
  const shown = rates
    .slice(0, 3)
    .map(
      ({ payout, next, affiliate_name }) =>
        `${formatMoney(payout ?? next?.payout ?? '0')} de ${affiliate_name ?? 'la tarifa general'}`,
    )
  return [...shown, ...(rates.length > 3 ? [`y ${rates.length - 3} más`] : [])].join(', ')
}

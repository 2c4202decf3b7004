import { useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Milestone, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { EventStep } from '#contract/event-steps.ts'
import { exports } from '#contract/exports.ts'
import { productsQuery } from '#web/products/queries.ts'
import { type Column, deleteAction, editAction, type RowAction } from '#web/table/column.ts'
import { DataTable } from '#web/table/DataTable.tsx'
import { ExportMenu } from '#web/table/ExportMenu.tsx'
import { Page } from '#web/table/Page.tsx'
import { SearchField } from '#web/table/SearchField.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Combobox } from '#web/ui/Combobox.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Day } from '#web/ui/dates.tsx'
import { matches } from '#web/ui/matches.ts'
import { EventStepCreateDialog, EventStepEditDialog } from './EventStepDialogs.tsx'
import { EventTypeLabel } from './EventTypeLabel.tsx'
import { eventStepsQuery, eventTypesQuery, useRemoveEventStep, useReorderEventSteps } from './queries.ts'
import { ALL_PRODUCTS, useFlowChoice } from './use-flow-choice.ts'

type Open = { kind: 'create' } | { kind: 'edit' | 'delete'; step: EventStep }

export default function AdminEventStepsPage() {
  const [open, setOpen] = useState<Open>()
  const products = useQuery(productsQuery())
  const list = useQuery(eventStepsQuery())
  const flow = useFlowChoice(products.data ?? [])
  const { all, shown } = useShownSteps(list.data, flow)
  const columns = useColumns(flow.product === ALL_PRODUCTS)
  const moves = useMoves(all ?? [])
  const close = () => setOpen(undefined)
  const create = (
    <Button variant="primary" icon={Plus} onClick={() => setOpen({ kind: 'create' })}>
      Nuevo Paso
    </Button>
  )
  return (
    <Page
      title="Eventos"
      description="El flujo de cada producto: los pasos que el emisor reporta y los que generan comisión."
      count={shown && `${shown.length} pasos`}
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
          <Combobox
            aria-label="Emisor"
            placeholder="Emisor"
            options={flow.issuers}
            value={flow.issuer ?? null}
            onChange={flow.chooseIssuer}
            className="w-full sm:w-60"
          />
          <Combobox
            aria-label="Producto"
            placeholder="Producto"
            options={[{ value: ALL_PRODUCTS, label: 'Todos los productos' }, ...flow.products]}
            value={flow.product ?? null}
            onChange={flow.chooseProduct}
            className="w-full sm:w-60"
          />
          <SearchField
            value={flow.search}
            onChange={flow.onSearch}
            placeholder="Buscar por paso, producto, emisor o tipo..."
          />
        </>
      }
    >
      <DataTable
        query={{ ...list, data: products.data || products.isError ? shown : undefined }}
        columns={columns}
        filtered={flow.search !== ''}
        loading="Cargando eventos..."
        errorText="Error al cargar los eventos"
        empty="No hay eventos configurados"
        emptyHint="Agrega el primer paso del flujo de este producto."
        emptyIcon={Milestone}
        emptyAction={create}
        emptySearch="No se encontraron eventos que coincidan con la búsqueda"
        actions={(step) => [
          ...moves(step),
          editAction(() => setOpen({ kind: 'edit', step }), { label: `Editar ${step.name}` }),
          deleteAction(() => setOpen({ kind: 'delete', step }), { label: `Eliminar ${step.name}` }),
        ]}
      />
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

type Flow = ReturnType<typeof useFlowChoice>

/** The flow on screen, whole and as the search leaves it, by product and order. */
function useShownSteps(steps: readonly EventStep[] | undefined, { issuer, product, search }: Flow) {
  return useMemo(() => {
    const all = steps
      ?.filter((step) => step.issuer_id === issuer && (product === ALL_PRODUCTS || step.product_id === product))
      .sort(byFlow)
    const fields = (step: EventStep) => [step.name, step.product_name, step.issuer_name, step.event_type_name]
    return { all, shown: all?.filter((step) => matches(search, fields(step))) }
  }, [steps, issuer, product, search])
}

const byFlow = (a: EventStep, b: EventStep): number =>
  a.product_name.localeCompare(b.product_name, 'es-MX') ||
  a.product_id - b.product_id ||
  a.step_order - b.step_order ||
  a.id - b.id

function useColumns(withProduct: boolean): Column<EventStep>[] {
  const types = useQuery(eventTypesQuery()).data
  return useMemo(() => {
    const typeName = (step: EventStep) =>
      types ? types.find(({ id }) => id === step.event_type_id)?.name : step.event_type_name
    return [
      { header: 'ID', cell: (step) => <span className="tabular-nums">{step.id}</span> },
      ...(withProduct ? [{ header: 'Producto', cell: (step: EventStep) => step.product_name }] : []),
      { header: 'Orden', cell: (step) => <span className="tabular-nums">{step.step_order}</span> },
      {
        header: 'Nombre',
        cell: (step) => <span className="font-medium">{step.name}</span>,
        title: (step) => step.description || step.name,
      },
      { header: 'Tipo de Evento', cell: (step) => <EventTypeLabel name={typeName(step)} /> },
      {
        header: 'Comisión',
        cell: (step) => (
          <Badge tone={step.is_payout_event ? 'money' : 'neutral'}>{step.is_payout_event ? 'Sí' : 'No'}</Badge>
        ),
      },
      { header: 'Fecha', cell: (step) => <Day value={step.created_at} />, secondary: true },
    ]
  }, [types, withProduct])
}

/** Up and down swap a step with its neighbour in one call; while it runs nothing else moves. */
function useMoves(steps: readonly EventStep[]): (step: EventStep) => RowAction[] {
  const reorder = useReorderEventSteps()
  const move = (step: EventStep, by: -1 | 1, label: string, icon: RowAction['icon'], atEnd: string): RowAction => {
    const ofProduct = steps.filter(({ product_id }) => product_id === step.product_id)
    const neighbour = ofProduct[ofProduct.findIndex(({ id }) => id === step.id) + by]
    return {
      label: `${label} ${step.name}`,
      icon,
      disabledReason: reorder.isPending ? 'Reordenando...' : neighbour ? undefined : atEnd,
      onClick: () =>
        neighbour &&
        reorder.mutate({
          step_orders: [
            { step_id: step.id, new_order: neighbour.step_order },
            { step_id: neighbour.id, new_order: step.step_order },
          ],
        }),
    }
  }
  return (step) => [
    move(step, -1, 'Subir', ArrowUp, 'Ya es el primer paso'),
    move(step, 1, 'Bajar', ArrowDown, 'Ya es el último paso'),
  ]
}

function EventStepRemoveDialog({ step, onClose }: { step: EventStep; onClose: () => void }) {
  const remove = useRemoveEventStep()
  return (
    <ConfirmDialog
      title="Estás seguro?"
      confirm="Eliminar"
      danger
      busy={remove.isPending}
      busyText="Eliminando..."
      onConfirm={() => remove.mutate(step.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      Se quitará el paso <strong className="text-ink">{step.name}</strong> del flujo de {step.product_name}. El emisor
      ya no podrá reportarlo; los eventos que ya reportó se conservan.
    </ConfirmDialog>
  )
}

import { useMemo, useState } from 'react'
import type { EventStep, Reorder } from '#contract/event-steps.ts'
import { useIsReordering, useReorderEventSteps } from './queries.ts'

type Orders = Reorder['step_orders']

/**
 * The steps with an optimistic order, undone when the server refuses it. While one is saved nothing else can be moved.
 */
export function useFlowOrder(loaded: readonly EventStep[] | undefined) {
  const reorder = useReorderEventSteps()
  const [asked, setAsked] = useState<Orders>()
  const busy = useIsReordering() || asked !== undefined
  const steps = useMemo(() => loaded && withOrders(loaded, asked ?? []).sort(byFlow), [loaded, asked])
  const flowOf = (step: EventStep) => steps?.filter(({ product_id }) => product_id === step.product_id) ?? []

  return {
    steps,
    busy,
    flowOf,
    move: (step: EventStep, place: number) => {
      const orders = ordersAfter(flowOf(step), step, place)
      if (busy || orders.length === 0) return
      setAsked(orders)
      reorder.mutate({ step_orders: orders }, { onSettled: () => setAsked(undefined) })
    },
  }
}

const byFlow = (a: EventStep, b: EventStep): number =>
  a.product_name.localeCompare(b.product_name, 'es-MX') ||
  a.product_id - b.product_id ||
  a.step_order - b.step_order ||
  a.id - b.id

const withOrders = (steps: readonly EventStep[], orders: Orders): EventStep[] =>
  steps.map((step) => ({
    ...step,
    step_order: orders.find(({ step_id }) => step_id === step.id)?.new_order ?? step.step_order,
  }))

/** The steps whose order changes; the flow's order numbers, gaps included, stay the same set. */
function ordersAfter(flow: readonly EventStep[], step: EventStep, place: number): Orders {
  const sequence = flow.filter(({ id }) => id !== step.id)
  sequence.splice(place, 0, step)
  return sequence.flatMap(({ id, step_order }, index) => {
    const order = flow[index]?.step_order ?? step_order
    return order === step_order ? [] : [{ step_id: id, new_order: order }]
  })
}

import { queryOptions, useIsMutating, useQueryClient } from '@tanstack/react-query'
import {
  type EventStep,
  type EventStepCreate,
  type EventStepUpdate,
  eventSteps,
  eventTypes,
  type Reorder,
} from '#contract/event-steps.ts'
import { call, type Seen } from '#web/api/client.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { MINUTE_MS, useSave } from '#web/api/query-client.ts'

export const eventStepsQuery = () =>
  queryOptions({
    queryKey: keys.eventSteps,
    queryFn: ({ signal }) => call(eventSteps.list, { signal }),
    staleTime: 2 * MINUTE_MS,
  })

export const eventTypesQuery = () =>
  queryOptions({ queryKey: keys.eventTypes, queryFn: ({ signal }) => call(eventTypes.list, { signal }) })

export const useCreateEventStep = () =>
  useSave({
    save: (body: EventStepCreate, requestKey) =>
      call(eventSteps.create, { body, requestKey, fallback: 'Error al crear el paso de evento' }),
    success: 'Paso de evento creado exitosamente',
    refreshes: refreshedBy.eventStep,
  })

export const useUpdateEventStep = () =>
  useSave({
    save: ({ id, updated_at, ...body }: EventStepUpdate & Seen) =>
      call(eventSteps.update, {
        params: { id },
        body,
        ifMatch: updated_at,
        fallback: 'Error al actualizar el paso de evento',
      }),
    success: 'Paso actualizado exitosamente',
    list: keys.eventSteps,
    refreshes: refreshedBy.eventStep,
  })

export const useRemoveEventStep = () =>
  useSave({
    save: (id: number) => call(eventSteps.remove, { params: { id }, fallback: 'Error al eliminar el paso de evento' }),
    success: 'Paso eliminado del flujo',
    refreshes: refreshedBy.eventStep,
  })

const REORDER = [...keys.eventSteps, 'reorder']

/** One at a time: a second would build on an order that may be refused. */
export const useIsReordering = (): boolean => useIsMutating({ mutationKey: REORDER }) > 0

export function useReorderEventSteps() {
  const client = useQueryClient()
  return useSave({
    key: REORDER,
    save: (body: Reorder) =>
      call(eventSteps.reorder, { body, fallback: 'Error al reordenar los pasos' }).then(
        (flow) => client.setQueryData(eventStepsQuery().queryKey, (steps) => steps && withSteps(steps, flow)),
        async (error: unknown) => {
          // The order it started from may be out of date.
          void client.invalidateQueries({ queryKey: keys.eventSteps })
          throw error
        },
      ),
    success: 'Pasos reordenados exitosamente',
    refreshes: refreshedBy.eventStep,
  })
}

const withSteps = (steps: EventStep[], changed: readonly EventStep[]): EventStep[] => {
  const byId = new Map(changed.map((step) => [step.id, step]))
  return steps.map((step) => byId.get(step.id) ?? step)
}

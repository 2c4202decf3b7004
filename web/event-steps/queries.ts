import { queryOptions } from '@tanstack/react-query'
import {
  type EventStepCreate,
  type EventStepUpdate,
  eventSteps,
  eventTypes,
  type Reorder,
} from '#contract/event-steps.ts'
import { call } from '#web/api/client.ts'
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
    save: (body: EventStepCreate) => call(eventSteps.create, { body, fallback: 'Error al crear el paso de evento' }),
    success: 'Paso de evento creado exitosamente',
    refreshes: refreshedBy.eventStep,
  })

export const useUpdateEventStep = () =>
  useSave({
    save: ({ id, ...body }: EventStepUpdate & { id: number }) =>
      call(eventSteps.update, { params: { id }, body, fallback: 'Error al actualizar el paso de evento' }),
    success: 'Paso actualizado exitosamente',
    refreshes: refreshedBy.eventStep,
  })

export const useRemoveEventStep = () =>
  useSave({
    save: (id: number) => call(eventSteps.remove, { params: { id }, fallback: 'Error al eliminar el paso de evento' }),
    success: 'Paso eliminado del flujo',
    refreshes: refreshedBy.eventStep,
  })

export const useReorderEventSteps = () =>
  useSave({
    save: (body: Reorder) => call(eventSteps.reorder, { body, fallback: 'Error al reordenar los pasos' }),
    success: 'Pasos reordenados exitosamente',
    refreshes: refreshedBy.eventStep,
  })

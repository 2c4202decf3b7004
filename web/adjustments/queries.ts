import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type AdjustmentCreate, adjustments } from '#contract/adjustments.ts'
import { call } from '#web/api/client.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'

/** Never cached, since payments change it. */
export const adjustmentsQuery = (query: Record<string, string>) =>
  queryOptions({
    queryKey: [...keys.adjustments, query],
    queryFn: ({ signal }) => call(adjustments.list, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const useCreateAdjustment = () =>
  useSave({
    save: (body: AdjustmentCreate, requestKey) => call(adjustments.create, { body, requestKey }),
    success: ({ kind }) => (kind === 'bonus' ? 'Bono registrado exitosamente' : 'Ajuste registrado exitosamente'),
    // Refused where the relationship is another pair's by now.
    refreshes: [...refreshedBy.adjustment, keys.relationships],
  })

export const useVoidAdjustment = () =>
  useSave({
    save: ({ id, note }: { id: number; note: string }) => call(adjustments.void, { params: { id }, body: { note } }),
    success: 'Movimiento anulado exitosamente',
    refreshes: refreshedBy.adjustment,
  })

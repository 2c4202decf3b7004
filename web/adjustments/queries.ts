import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type AdjustmentCreate, adjustments } from '#contract/adjustments.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/errors.ts'
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

/** Nobody heard what became of it, and then the fields were changed. */
const SENT_BEFORE =
  'Lo que enviaste antes ya se registró o se está registrando. Cierra este formulario y revisa la lista.'

export const useCreateAdjustment = () =>
  useSave({
    save: ({ requestKey, ...body }: AdjustmentCreate & { requestKey: string }) =>
      call(adjustments.create, { body, requestKey }).catch((error: unknown) => {
        throw error instanceof ApiError && error.code === 'IDEMPOTENCY_MISMATCH'
          ? new ApiError(error.status, SENT_BEFORE)
          : error
      }),
    success: ({ kind }) => (kind === 'bonus' ? 'Bono registrado exitosamente' : 'Ajuste registrado exitosamente'),
    refreshes: refreshedBy.adjustment,
  })

export const useVoidAdjustment = () =>
  useSave({
    save: ({ id, note }: { id: number; note: string }) => call(adjustments.void, { params: { id }, body: { note } }),
    success: 'Movimiento anulado exitosamente',
    refreshes: refreshedBy.adjustment,
  })

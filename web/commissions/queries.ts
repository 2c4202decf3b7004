import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  type CommissionCopy,
  type CommissionCreate,
  type CommissionUpdate,
  commissions,
} from '#contract/commissions.ts'
import { type RateAsked, type RateCreate, rates } from '#contract/rates.ts'
import { call, type Seen } from '#web/api/client.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { MINUTE_MS, useSave } from '#web/api/query-client.ts'
import { wholeListQuery } from '#web/api/whole-list.ts'

const SAVE_FAILED = 'Error al procesar la comisión'

export const commissionsQuery = () => wholeListQuery(keys.commissions, commissions.list)

/** What is promoted without a commission. Events that come in meanwhile change it. */
export const commissionGapsQuery = () => ({
  ...wholeListQuery([...keys.commissions, 'gaps'], commissions.gaps),
  staleTime: MINUTE_MS,
  meta: { quiet: true },
})

/** The defaults of products, and amounts by step. */
export const ratesInForceQuery = () => ({
  ...wholeListQuery([...keys.commissions, 'rates'], rates.inForce),
  meta: { quiet: true },
})

/** Refetched on each visit: a colleague may have changed the amount. */
export const commissionHistoryQuery = (id: number) =>
  queryOptions({
    queryKey: [...keys.commissions, id, 'history'],
    queryFn: ({ signal }) => call(commissions.history, { params: { id }, signal }),
    staleTime: 0,
    meta: { quiet: true },
  })

export const rateHistoryQuery = (id: number) =>
  queryOptions({
    queryKey: [...keys.commissions, 'rates', id, 'history'],
    queryFn: ({ signal }) => call(rates.history, { params: { id }, signal }),
    staleTime: 0,
    meta: { quiet: true },
  })

/** With what an announced change compensates; it may be cancelled, and then that goes with it. */
export const compensatedQuery = (id: number | undefined) =>
  queryOptions({
    queryKey: [...keys.commissions, 'rates', id, 'compensated'],
    queryFn: ({ signal }) => call(rates.compensated, { params: { id: id as number }, signal }),
    enabled: id !== undefined,
    staleTime: 0,
    meta: { quiet: true },
  })

export const useCreateCommission = () =>
  useSave({
    save: (body: CommissionCreate, requestKey) => call(commissions.create, { body, requestKey, fallback: SAVE_FAILED }),
    success: 'Comisión creada exitosamente',
    refreshes: refreshedBy.commission,
  })

export const useUpdateCommission = () =>
  useSave({
    save: ({ id, updated_at, ...body }: CommissionUpdate & Seen) =>
      call(commissions.update, { params: { id }, body, ifMatch: updated_at, fallback: SAVE_FAILED }),
    success: 'Comisión actualizada exitosamente',
    list: keys.commissions,
    refreshes: refreshedBy.commission,
  })

export const useRemoveCommission = () =>
  useSave({
    save: (id: number) => call(commissions.remove, { params: { id } }),
    success: 'Comisión eliminada exitosamente',
    refreshes: refreshedBy.commission,
  })

/** Never cached: what has accrued since must count. */
export const ratePreviewQuery = (form: RateAsked | undefined) =>
  queryOptions({
    queryKey: [...keys.commissions, 'rate-preview', form],
    queryFn: ({ signal }) => call(rates.preview, { body: form as RateAsked, signal }),
    enabled: form !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    meta: { quiet: true },
  })

export const useChangeRate = () =>
  useSave({
    save: (body: RateCreate, requestKey) => call(rates.create, { body, requestKey, fallback: SAVE_FAILED }),
    // Without a day it holds from now on: nothing is planned.
    success: (_, { valid_from }) => (valid_from ? 'Cambio programado exitosamente' : 'Tarifa guardada exitosamente'),
    refreshes: refreshedBy.commission,
  })

export const useEndRate = () =>
  useSave({
    save: (id: number) => call(rates.end, { params: { id } }),
    success: 'Tarifa quitada exitosamente',
    refreshes: refreshedBy.commission,
  })

export const useCancelRate = () =>
  useSave({
    save: (id: number) => call(rates.cancel, { params: { id } }),
    success: 'Cambio cancelado exitosamente',
    refreshes: refreshedBy.commission,
  })

export const useCopyCommission = () =>
  useSave({
    save: ({ id, ...body }: CommissionCopy & { id: number }) =>
      call(commissions.copy, { params: { id }, body, fallback: SAVE_FAILED }),
    success: 'Comisiones creadas exitosamente',
    refreshes: refreshedBy.commission,
  })

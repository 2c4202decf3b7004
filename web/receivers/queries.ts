import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type DeliveryFilters, deliveries } from '#contract/deliveries.ts'
import {
  type PreviewForm,
  type ReceiverCreate,
  type ReceiverUpdate,
  type ReplayForm,
  receivers,
} from '#contract/receivers.ts'
import { call } from '#web/api/client.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'
import { counted } from '#web/ui/format.ts'

/** Soon out of date: deliveries come and go by themselves. */
const REFRESH_MS = 10_000

export const receiversQuery = () =>
  queryOptions({
    queryKey: keys.receivers,
    queryFn: ({ signal }) => call(receivers.list, { signal }),
    refetchInterval: REFRESH_MS,
  })

export const previewQuery = (form: PreviewForm) =>
  queryOptions({
    queryKey: [...keys.receivers, 'preview', form],
    queryFn: ({ signal }) => call(receivers.preview, { body: form, signal }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
    retry: false,
  })

export const deliveriesQuery = (id: number, filters: DeliveryFilters) =>
  queryOptions({
    queryKey: [...keys.receivers, id, 'deliveries', filters],
    queryFn: ({ signal }) =>
      call(receivers.deliveries, { params: { id }, query: filters as Record<string, string>, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.receivers, 'delivery', id],
    queryFn: ({ signal }) => call(deliveries.get, { params: { id }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => state.data?.state === 'waiting' && REFRESH_MS,
  })

export const secretQuery = (id: number) =>
  queryOptions({
    queryKey: [...keys.receivers, id, 'secret'],
    queryFn: ({ signal }) => call(receivers.secret, { params: { id }, signal }),
    gcTime: 0,
  })

export const useCreateReceiver = () =>
  useSave({
    save: (body: ReceiverCreate, requestKey) => call(receivers.create, { body, requestKey }),
    success: 'Dirección creada exitosamente',
    refreshes: refreshedBy.receiver,
  })

export const useUpdateReceiver = () =>
  useSave({
    save: ({ id, ...body }: ReceiverUpdate & { id: number }) => call(receivers.update, { params: { id }, body }),
    success: 'Dirección actualizada exitosamente',
    refreshes: refreshedBy.receiver,
  })

export const useRemoveReceiver = () =>
  useSave({
    save: (id: number) => call(receivers.remove, { params: { id } }),
    success: 'Dirección eliminada exitosamente',
    refreshes: refreshedBy.receiver,
  })

export const useTestReceiver = () =>
  useSave({
    save: (id: number) => call(receivers.test, { params: { id } }),
    success: () => undefined,
    refreshes: refreshedBy.receiver,
  })

export const usePauseReceiver = () =>
  useSave({
    save: (id: number) => call(receivers.pause, { params: { id } }),
    success: 'La dirección queda en pausa',
    refreshes: refreshedBy.receiver,
  })

export const useResumeReceiver = () =>
  useSave({
    save: (id: number) => call(receivers.resume, { params: { id } }),
    success: 'La dirección vuelve a recibir',
    refreshes: refreshedBy.receiver,
  })

export const useRotateSecret = () =>
  useSave({
    save: (id: number) => call(receivers.rotateSecret, { params: { id } }),
    success: ({ before_until }) =>
      before_until === null
        ? 'Secreto cambiado: el anterior ya no firma'
        : 'Secreto cambiado: durante 24 horas firman los dos',
    refreshes: refreshedBy.receiver,
  })

export const useReplayPeriod = () =>
  useSave({
    save: ({ id, ...body }: ReplayForm & { id: number }) => call(receivers.replay, { params: { id }, body }),
    success: ({ count }) =>
      count === 0
        ? 'No hay entregas fallidas'
        : `${counted(count, 'entrega se reenvía', 'entregas se reenvían')} en unos segundos`,
    refreshes: refreshedBy.receiver,
  })

export const useReplayDelivery = () =>
  useSave({
    save: (id: string) => call(deliveries.replay, { params: { id } }),
    success: 'La entrega se reenviará en unos segundos',
    refreshes: refreshedBy.receiver,
  })

import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Lead, leads } from '#contract/leads.ts'
import { type RejectForm, type RestoreForm, rulings } from '#contract/rulings.ts'
import { call, callWithMeta } from '#web/api/client.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'
import type { LeadFilterTexts } from './filters.ts'

const LOAD_FAILED = 'Error al cargar los leads'

/** Refetched each time, since clicks keep coming; the rows before stay while the next ones load. */
export const leadsQuery = (query: LeadFilterTexts) =>
  queryOptions({
    queryKey: [...keys.leads, 'list', query],
    queryFn: async ({ signal }) => {
      const { data, isCapped } = await callWithMeta(leads.list, { query, signal, fallback: LOAD_FAILED })
      return { ...data, isCapped }
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Shows the list's row at once, then the fresh one. */
export const leadQuery = (id: number, known: Lead | undefined) =>
  queryOptions({
    queryKey: [...keys.leads, 'one', id],
    queryFn: ({ signal }) => call(leads.get, { params: { id }, signal }),
    staleTime: 0,
    // Its panel says what failed.
    meta: { quiet: true },
    ...(known && { placeholderData: { ...known, rejection: null, rulings: [], is_rejectable: true } }),
  })

/** What the lead earned. */
export const leadEntriesQuery = (id: number) =>
  queryOptions({
    queryKey: [...keys.leads, 'one', id, 'entries'],
    queryFn: ({ signal }) => call(leads.entries, { params: { id }, signal }),
    staleTime: 0,
    meta: { quiet: true },
  })

/** An administrator changes them now and then. */
export const rejectReasonsQuery = () =>
  queryOptions({
    queryKey: [...keys.leads, 'reject-reasons'],
    queryFn: ({ signal }) => call(rulings.reasons, { signal }),
    staleTime: 300_000,
    meta: { quiet: true },
  })

export const useRejectLead = () =>
  useSave({
    save: ({ id, ...body }: RejectForm & { id: number }) => call(rulings.reject, { params: { id }, body }),
    success: 'Lead rechazado exitosamente',
    refreshes: refreshedBy.ruling,
  })

export const useRestoreLead = () =>
  useSave({
    save: ({ id, ...body }: RestoreForm & { id: number }) => call(rulings.restore, { params: { id }, body }),
    success: 'Lead reactivado exitosamente',
    refreshes: refreshedBy.ruling,
  })

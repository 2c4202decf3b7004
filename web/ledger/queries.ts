import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Approval, type ApproveForm, commissionEntries } from '#contract/commission-entries.ts'
import { call } from '#web/api/client.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'
import { counted } from '#web/ui/format.ts'

/** The affiliate's own ledger; never cached, since events and payments change it. */
export const ownEntriesQuery = (query: Record<string, string>) =>
  queryOptions({
    queryKey: [...keys.payments, 'own entries', query],
    queryFn: ({ signal }) => call(commissionEntries.list, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Never cached, since events change it. */
export const waitingQuery = (query: Record<string, string>) =>
  queryOptions({
    queryKey: [...keys.approvals, query],
    queryFn: ({ signal }) => call(commissionEntries.waiting, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

function told(results: readonly Approval[]): string {
  const approved = results.filter(({ outcome }) => outcome === 'approved').length
  const rest = results.length - approved
  const others = rest && `${counted(rest, 'ya no esperaba', 'ya no esperaban')} aprobación`
  return [approved && counted(approved, 'comisión aprobada', 'comisiones aprobadas'), others].filter(Boolean).join('; ')
}

export const useApprove = () =>
  useSave({
    save: (body: ApproveForm) => call(commissionEntries.approve, { body }),
    success: told,
    refreshes: refreshedBy.approval,
  })

import { queryOptions } from '@tanstack/react-query'
import { integration } from '#contract/integration.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'

export const addressesQuery = () =>
  queryOptions({
    queryKey: [...keys.integration, 'addresses'],
    queryFn: ({ signal }) => call(integration.addresses, { signal }),
  })

/** Never older than the visit: the engineer looks here right after sending. */
export const receivedQuery = () =>
  queryOptions({
    queryKey: [...keys.integration, 'received'],
    queryFn: ({ signal }) => call(integration.received, { signal }),
    staleTime: 0,
  })

/** The verdict is shown in place: no toast, nothing to reload. */
export const useTryEvent = () =>
  useSave({
    save: (event: Record<string, unknown>) => call(integration.tryEvent, { body: { event } }),
    success: () => undefined,
    refreshes: [],
  })

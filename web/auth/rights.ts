import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { auth } from '#contract/auth.ts'
import { needOf, readsOnlyRefusal, refusalOf } from '#contract/duties.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'

export const rightsQuery = () =>
  queryOptions({
    queryKey: keys.rights,
    queryFn: ({ signal }) => call(auth.rights, { signal }),
    meta: { quiet: true },
  })

/** Why this person may not make a call, for what leads to it; undefined where they may, and until that is known. */
export function useRefusal(): (endpoint: Endpoint) => string | undefined {
  const rights = useQuery(rightsQuery()).data
  return useCallback(
    (endpoint) => rights && (readsOnlyRefusal(rights.reads_only, endpoint) ?? refusalOf(rights.duty, needOf(endpoint))),
    [rights],
  )
}

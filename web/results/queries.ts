import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { results } from '#contract/results.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'
import type { AskedResults } from './filters.ts'

/** Refetched each time, since clicks and events keep coming; the rows before stay while the next ones load. */
export const resultsQuery = (query: AskedResults) =>
  queryOptions({
    queryKey: [...keys.results, query],
    queryFn: ({ signal }) => call(results.list, { query, signal, fallback: 'Error al cargar los resultados' }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

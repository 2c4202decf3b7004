import { type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { WHOLE_LIST } from '#contract/fields.ts'
import type { Narrowing } from '#web/api/list-query.ts'

export const isCut = (rows: readonly unknown[] | undefined): boolean => (rows?.length ?? 0) >= WHOLE_LIST

export interface List<Query> {
  /** As far as it was sent. */
  list: Query
  /** What the table chooses its rows from. */
  found: Query
}

/**
 * A list that is narrowed where it is shown. What lies beyond its cut is only with the server, so then the server narrows
 * it first; `narrowing` is that of the list's export.
 */
export function useList<Row>(
  queryOf: (narrowing?: Narrowing) => UseQueryOptions<Row[]>,
  narrowing: Narrowing,
): List<UseQueryResult<Row[]>> {
  const list = useQuery(queryOf())
  const isAsked = isCut(list.data) && Object.values(narrowing).some(Boolean)
  const found = useQuery({ ...queryOf(narrowing), enabled: isAsked })
  return { list, found: isAsked ? found : list }
}

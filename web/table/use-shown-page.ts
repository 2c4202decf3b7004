import { useEffect, useEffectEvent } from 'react'
import type { Pagination } from '#contract/fields.ts'

interface PageAnswer {
  results: readonly unknown[]
  pagination: Pagination
}

/** The page that the server gave. One beyond the last, since its rows are gone, is none, and the last is asked for. */
export function useShownPage<Data extends PageAnswer>(
  data: Data | undefined,
  onPage: (page: number) => void,
): Data | undefined {
  const lastPage = data ? lastBefore(data) : 0
  const go = useEffectEvent(onPage)
  useEffect(() => {
    if (lastPage) go(lastPage)
  }, [lastPage])
  return lastPage ? undefined : data
}

/** The last page when this one lies beyond it, else 0. */
const lastBefore = ({ results, pagination: { current_page, total_pages } }: PageAnswer): number =>
  results.length === 0 && current_page > total_pages ? total_pages : 0

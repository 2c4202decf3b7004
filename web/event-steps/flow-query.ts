import type { UseQueryResult } from '@tanstack/react-query'
import type { EventStep } from '#contract/event-steps.ts'
import type { TableQuery } from '#web/table/DataTable.tsx'

/** Loaded when both the steps and the products are. */
export const flowQuery = (
  products: UseQueryResult<unknown>,
  steps: UseQueryResult<unknown>,
  rows: readonly EventStep[] | undefined,
): TableQuery<EventStep> => ({
  data: products.data ? rows : undefined,
  isError: products.isError || steps.isError,
  isFetching: products.isFetching || steps.isFetching,
  error: steps.error ?? products.error,
  refetch: () => {
    for (const query of [products, steps]) if (query.isError) void query.refetch()
  },
})

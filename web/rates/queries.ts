import { queryOptions } from '@tanstack/react-query'
import { rates } from '#contract/rates.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'

/** Refetched on each look: the issuer may have changed an amount. */
export const ratesQuery = (productId: number) =>
  queryOptions({
    queryKey: [...keys.rates, productId],
    queryFn: ({ signal }) => call(rates.list, { query: { product_id: productId }, signal }),
    staleTime: 0,
    meta: { quiet: true },
  })

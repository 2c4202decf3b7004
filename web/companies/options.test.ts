import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { affiliateOptionsQuery, affiliatesQuery } from '#web/affiliates/queries.ts'
import { queryClient } from '#web/api/query-client.ts'
import { issuerOptionsQuery, issuersQuery } from '#web/issuers/queries.ts'

const row = { id: 7, company_name: 'Nogalera Digital' }

test.each([
  ['affiliates', affiliatesQuery, affiliateOptionsQuery],
  ['issuers', issuersQuery, issuerOptionsQuery],
] as const)('%s that their own list has loaded are not loaded again for a filter', async (_, list, options) => {
  const client = new QueryClient({ defaultOptions: queryClient.getDefaultOptions() })
  client.setQueryData<unknown>(list().queryKey, [row])
  const ask = vi.fn(async () => [])
  const asked = async ({ queryKey }: { queryKey: readonly unknown[] }) => client.fetchQuery({ queryKey, queryFn: ask })
  expect(await asked(options({ status: undefined }))).toEqual([row])
  expect(ask).not.toHaveBeenCalled()
  // A picker offers the active ones alone.
  await asked(options())
  expect(ask).toHaveBeenCalledOnce()
})

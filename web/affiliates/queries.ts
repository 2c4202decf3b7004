import { queryOptions } from '@tanstack/react-query'
import { affiliates } from '#contract/affiliates.ts'
import type { Status } from '#contract/fields.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'
import { callWhole, wholeListQuery } from '#web/api/whole-list.ts'
import { companyOptions } from '#web/companies/options.ts'

export const affiliatesQuery = () => wholeListQuery(keys.affiliates, affiliates.list)

/** Never cached: it is asked just before a deletion. */
export const affiliateDependentsQuery = (id: number) =>
  queryOptions({
    queryKey: [...keys.affiliates, id, 'dependents'],
    queryFn: ({ signal }) => call(affiliates.dependents, { params: { id }, signal }),
    staleTime: 0,
    gcTime: 0,
    meta: { quiet: true },
  })

/** What pickers and filters offer: active ones unless asked otherwise, and no toast when they fail (specification section 8). */
export const affiliateOptionsQuery = ({ status }: { status?: Status | undefined } = { status: 'active' }) =>
  queryOptions({
    // All of them are the list that its screen loads.
    queryKey: status ? [...keys.affiliates, 'options', status] : keys.affiliates,
    queryFn: ({ signal }) => callWhole(affiliates.list, { query: { status }, signal }),
    meta: { quiet: true },
    select: companyOptions,
  })

import { queryOptions } from '@tanstack/react-query'
import type { Status } from '#contract/fields.ts'
import { issuers } from '#contract/issuers.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'
import { callWhole, wholeListQuery } from '#web/api/whole-list.ts'
import { companyOptions } from '#web/companies/options.ts'

export const issuersQuery = () => wholeListQuery(keys.issuers, issuers.list)

/** Never cached: it is asked just before a deletion. */
export const issuerDependentsQuery = (id: number) =>
  queryOptions({
    queryKey: [...keys.issuers, id, 'dependents'],
    queryFn: ({ signal }) => call(issuers.dependents, { params: { id }, signal }),
    staleTime: 0,
    gcTime: 0,
    meta: { quiet: true },
  })

/** What pickers and filters offer: active ones unless asked otherwise, and no toast when they fail (specification section 8). */
export const issuerOptionsQuery = ({ status }: { status?: Status | undefined } = { status: 'active' }) =>
  queryOptions({
    // All of them are the list that its screen loads.
    queryKey: status ? [...keys.issuers, 'options', status] : keys.issuers,
    queryFn: ({ signal }) => callWhole(issuers.list, { query: { status }, signal }),
    meta: { quiet: true },
    select: companyOptions,
  })

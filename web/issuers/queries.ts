import { queryOptions } from '@tanstack/react-query'
import type { Status } from '#contract/fields.ts'
import { type IssuerCreate, type IssuerUpdate, issuers } from '#contract/issuers.ts'
import type { FirstPerson } from '#contract/users.ts'
import { call, callWithMeta } from '#web/api/client.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'
import { callWhole, wholeListQuery } from '#web/api/whole-list.ts'
import { createdText, warnOfRfc, withUser } from '#web/companies/saves.ts'

const UPDATE_FAILED = 'No se pudo actualizar el emisor'

export const issuersQuery = () => wholeListQuery(keys.issuers, issuers.list)

export const useCreateIssuer = () =>
  useSave({
    save: ({ user, made, ...body }: Omit<IssuerCreate, 'user'> & { user: FirstPerson; made?: number | undefined }) =>
      withUser(made ?? callWithMeta(issuers.create, { body }), user, 'issuer'),
    success: (created, { made }) => createdText(created, 'Emisor creado exitosamente', made !== undefined),
    refreshes: refreshedBy.issuer,
  })

export const useUpdateIssuer = () =>
  useSave({
    save: async ({ id, ...body }: IssuerUpdate & { id: number }) => {
      const { data, warnings } = await callWithMeta(issuers.update, {
        params: { id },
        body,
        fallback: UPDATE_FAILED,
      })
      warnOfRfc(warnings)
      return data
    },
    success: 'Emisor actualizado exitosamente',
    refreshes: refreshedBy.issuer,
  })

export const useRemoveIssuer = () =>
  useSave({
    save: (id: number) => call(issuers.remove, { params: { id } }),
    success: 'Emisor eliminado exitosamente',
    refreshes: refreshedBy.issuer,
  })

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
    queryKey: [...keys.issuers, 'options', status ?? 'all'],
    queryFn: ({ signal }) => callWhole(issuers.list, { query: { status }, signal }),
    meta: { quiet: true },
    select: (rows) => rows.map((row) => ({ value: row.id, label: row.company_name })),
  })

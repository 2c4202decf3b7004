import { queryOptions } from '@tanstack/react-query'
import { type AffiliateCreate, type AffiliateUpdate, affiliates } from '#contract/affiliates.ts'
import type { Status } from '#contract/fields.ts'
import type { FirstPerson } from '#contract/users.ts'
import { call, callWithMeta } from '#web/api/client.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'
import { callWhole, wholeListQuery } from '#web/api/whole-list.ts'
import { createdText, warnOfRfc, withUser } from '#web/companies/saves.ts'

const UPDATE_FAILED = 'No se pudo actualizar el afiliado'

export const affiliatesQuery = () => wholeListQuery(keys.affiliates, affiliates.list)

export const useCreateAffiliate = () =>
  useSave({
    save: ({ user, made, ...body }: Omit<AffiliateCreate, 'user'> & { user: FirstPerson; made?: number | undefined }) =>
      withUser(made ?? callWithMeta(affiliates.create, { body }), user, 'affiliate'),
    success: (created, { made }) => createdText(created, 'Afiliado creado exitosamente', made !== undefined),
    refreshes: refreshedBy.affiliate,
  })

export const useUpdateAffiliate = () =>
  useSave({
    save: async ({ id, ...body }: AffiliateUpdate & { id: number }) => {
      const { data, warnings } = await callWithMeta(affiliates.update, {
        params: { id },
        body,
        fallback: UPDATE_FAILED,
      })
      warnOfRfc(warnings)
      return data
    },
    success: 'Afiliado actualizado exitosamente',
    refreshes: refreshedBy.affiliate,
  })

export const useRemoveAffiliate = () =>
  useSave({
    save: (id: number) => call(affiliates.remove, { params: { id } }),
    success: 'Afiliado eliminado exitosamente',
    refreshes: refreshedBy.affiliate,
  })

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
    queryKey: [...keys.affiliates, 'options', status ?? 'all'],
    queryFn: ({ signal }) => callWhole(affiliates.list, { query: { status }, signal }),
    meta: { quiet: true },
    select: (rows) => rows.map((row) => ({ value: row.id, label: row.company_name })),
  })

import { type AffiliateCreate, type AffiliateUpdate, affiliates } from '#contract/affiliates.ts'
import type { FirstPerson } from '#contract/users.ts'
import { call, callWithMeta, type Seen } from '#web/api/client.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'
import { createdText, warnOfRfc, withUser } from '#web/companies/saves.ts'

const UPDATE_FAILED = 'No se pudo actualizar el afiliado'

export const useCreateAffiliate = () =>
  useSave({
    save: (
      { user, made, ...body }: Omit<AffiliateCreate, 'user'> & { user: FirstPerson; made?: number | undefined },
      requestKey,
    ) => withUser(made ?? callWithMeta(affiliates.create, { body, requestKey }), user, 'affiliate', requestKey),
    success: (created, { made }) => createdText(created, 'Afiliado creado exitosamente', made !== undefined),
    refreshes: refreshedBy.affiliate,
  })

export const useUpdateAffiliate = () =>
  useSave({
    save: async ({ id, updated_at, ...body }: AffiliateUpdate & Seen) => {
      const { data, warnings } = await callWithMeta(affiliates.update, {
        params: { id },
        body,
        ifMatch: updated_at,
        fallback: UPDATE_FAILED,
      })
      warnOfRfc(warnings)
      return data
    },
    success: 'Afiliado actualizado exitosamente',
    list: keys.affiliates,
    refreshes: refreshedBy.affiliate,
  })

export const useRemoveAffiliate = () =>
  useSave({
    save: (id: number) => call(affiliates.remove, { params: { id } }),
    success: 'Afiliado eliminado exitosamente',
    refreshes: refreshedBy.affiliate,
  })

import { type IssuerCreate, type IssuerUpdate, issuers } from '#contract/issuers.ts'
import type { FirstPerson } from '#contract/users.ts'
import { call, callWithMeta, type Seen } from '#web/api/client.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'
import { createdText, warnOfRfc, withUser } from '#web/companies/saves.ts'

const UPDATE_FAILED = 'No se pudo actualizar el emisor'

export const useCreateIssuer = () =>
  useSave({
    save: (
      { user, made, ...body }: Omit<IssuerCreate, 'user'> & { user: FirstPerson; made?: number | undefined },
      requestKey,
    ) => withUser(made ?? callWithMeta(issuers.create, { body, requestKey }), user, 'issuer', requestKey),
    success: (created, { made }) => createdText(created, 'Emisor creado exitosamente', made !== undefined),
    refreshes: refreshedBy.issuer,
  })

export const useUpdateIssuer = () =>
  useSave({
    save: async ({ id, updated_at, ...body }: IssuerUpdate & Seen) => {
      const { data, warnings } = await callWithMeta(issuers.update, {
        params: { id },
        body,
        ifMatch: updated_at,
        fallback: UPDATE_FAILED,
      })
      warnOfRfc(warnings)
      return data
    },
    success: 'Emisor actualizado exitosamente',
    list: keys.issuers,
    refreshes: refreshedBy.issuer,
  })

export const useRemoveIssuer = () =>
  useSave({
    save: (id: number) => call(issuers.remove, { params: { id } }),
    success: 'Emisor eliminado exitosamente',
    refreshes: refreshedBy.issuer,
  })

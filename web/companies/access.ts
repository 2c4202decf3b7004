import { queryOptions } from '@tanstack/react-query'
import { affiliates } from '#contract/affiliates.ts'
import type { CompanyAccess, KeyKind } from '#contract/companies.ts'
import { issuers } from '#contract/issuers.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'

type Noun = 'affiliate' | 'issuer'

/** A company and who it is, for calls about its keys. */
export interface Owner {
  noun: Noun
  /** 0 while it loads; the buttons are disabled until then. */
  id: number
}

const rootOf = ({ noun }: Owner) => (noun === 'issuer' ? keys.issuers : keys.affiliates)

/** Never older than the visit: somebody may look for a use of a key just now. */
export const accessQuery = (owner: Owner) =>
  queryOptions({
    queryKey: [...rootOf(owner), owner.id, 'access'],
    queryFn: ({ signal }): Promise<CompanyAccess> =>
      call(owner.noun === 'issuer' ? issuers.access : affiliates.access, { params: { id: owner.id }, signal }),
    enabled: owner.id !== 0,
    staleTime: 0,
    meta: { quiet: true },
  })

/** Whether there is no key of the kind to change; unknown while it loads. */
export const hasNone = (access: CompanyAccess | undefined, kind: KeyKind): boolean =>
  access !== undefined && !access.keys.some((key) => key.kind === kind && key.expires_at === null)

/** What each kind of key is called, with its article, and the one before it. */
export const keyWords: Record<KeyKind, { name: string; old: string; changed: string }> = {
  api: { name: 'la API key', old: 'la anterior', changed: 'API key actualizada exitosamente' },
  postback: { name: 'el token de postback', old: 'el anterior', changed: 'Token de postback actualizado exitosamente' },
  signing: { name: 'el secreto de firma', old: 'el anterior', changed: 'Secreto de firma actualizado exitosamente' },
}

const issuerRotations = {
  api: issuers.rotateKey,
  postback: issuers.rotatePostbackToken,
  signing: issuers.rotateSigningSecret,
} as const

export const useChangeKey = (owner: Owner, kind: KeyKind) =>
  useSave({
    save: async (body: { revoke_old: boolean }) => {
      const request = { params: { id: owner.id }, body }
      if (owner.noun === 'affiliate') await call(affiliates.rotateKey, request)
      else await call(issuerRotations[kind], request)
    },
    success: keyWords[kind].changed,
    refreshes: [rootOf(owner)],
  })

export const useRevokeOld = (owner: Owner, kind: KeyKind) =>
  useSave({
    save: () =>
      call(owner.noun === 'issuer' ? issuers.revokeOldKeys : affiliates.revokeOldKeys, {
        params: { id: owner.id },
        query: { kind },
      }),
    success: 'La clave anterior dejó de funcionar',
    refreshes: [rootOf(owner)],
  })

export const useRequireSignature = ({ id }: Owner) =>
  useSave({
    save: (required: boolean) =>
      call(required ? issuers.requireSignature : issuers.allowUnsigned, { params: { id } }).then(() => required),
    success: (required: boolean) =>
      required ? 'Desde ahora se rechaza todo evento sin firma' : 'Se aceptan de nuevo eventos sin firma',
    refreshes: [keys.issuers],
  })

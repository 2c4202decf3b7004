import { queryOptions } from '@tanstack/react-query'
import { auth } from '#contract/auth.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { secondFactors } from '#contract/second-factors.ts'
import { type PolicyUpdate, securityPolicy } from '#contract/security-policy.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'
import { useSave, useSingleMutation } from '#web/api/query-client.ts'
import { createPasskey, signWithPasskey } from './passkey.ts'

const own = ['own-second-factors'] as const
const policies = ['security-policy'] as const

export const ownFactorsQuery = () =>
  queryOptions({
    queryKey: own,
    queryFn: ({ signal }) => call(secondFactors.own, { signal }),
    staleTime: 0,
    meta: { quiet: true },
  })

/** The seed of an application, which is shown and then forgotten. */
export const useStartTotp = () => useSingleMutation({ mutationFn: () => call(secondFactors.startTotp) })

export const useConfirmTotp = () =>
  useSave({
    save: (body: BodyOf<typeof secondFactors.confirmTotp>) => call(secondFactors.confirmTotp, { body }),
    success: 'Segundo factor activado',
    refreshes: [own, keys.rights],
  })

async function addPasskey({ label }: { label: string }) {
  const { state, options } = await call(secondFactors.startPasskey)
  const credential = await createPasskey(options)
  return call(secondFactors.addPasskey, { body: { state, credential, label } })
}

export const useAddPasskey = () =>
  useSave({ save: addPasskey, success: 'Llave de acceso registrada', refreshes: [own, keys.rights] })

export const useRenewCodes = () =>
  useSave({ save: () => call(secondFactors.renewRecoveryCodes), success: () => undefined, refreshes: [own] })

export const useRemoveFactor = () =>
  useSave({
    save: (id: number) => call(secondFactors.remove, { params: { id } }),
    success: 'Segundo factor quitado',
    refreshes: [own, keys.rights],
  })

export const policiesQuery = () =>
  queryOptions({
    queryKey: policies,
    queryFn: ({ signal }) => call(securityPolicy.list, { signal }),
    staleTime: 0,
    meta: { quiet: true },
  })

export const useUpdatePolicy = () =>
  useSave({
    save: (body: PolicyUpdate) => call(securityPolicy.update, { body }),
    success: 'Política actualizada exitosamente',
    refreshes: [policies, keys.rights],
  })

/** What the browser says of a passkey of this address, with the question that it answers. */
export async function askPasskey() {
  const { state, options } = await call(auth.passkeyOptions)
  return { state, credential: await signWithPasskey(options) }
}

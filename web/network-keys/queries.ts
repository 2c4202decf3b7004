import { queryOptions } from '@tanstack/react-query'
import { type NetworkKeyCreate, networkKeys } from '#contract/network-keys.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'

/** Never older than the visit: somebody may look for a use of a key just now. */
export const networkKeysQuery = () =>
  queryOptions({
    queryKey: keys.networkKeys,
    queryFn: ({ signal }) => call(networkKeys.list, { signal }),
    staleTime: 0,
  })

export const useCreateNetworkKey = () =>
  useSave({
    save: (body: NetworkKeyCreate) => call(networkKeys.create, { body }),
    success: 'Clave creada exitosamente',
    refreshes: [keys.networkKeys],
  })

export const useRevokeNetworkKey = () =>
  useSave({
    save: (id: number) => call(networkKeys.revoke, { params: { id } }),
    success: 'La clave dejó de funcionar',
    refreshes: [keys.networkKeys],
  })

import { queryOptions } from '@tanstack/react-query'
import { auth } from '#contract/auth.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'

/** Under the users' key: a changed user may be oneself. */
export const profileQuery = () =>
  queryOptions({ queryKey: [...keys.users, 'profile'], queryFn: ({ signal }) => call(auth.profile, { signal }) })

const ownSessions = ['own-sessions'] as const

export const ownSessionsQuery = () =>
  queryOptions({
    queryKey: ownSessions,
    queryFn: ({ signal }) => call(auth.sessions, { signal }),
    staleTime: 0,
    meta: { quiet: true },
  })

export const useChangePassword = () =>
  useSave({
    save: (body: BodyOf<typeof auth.changePassword>) => call(auth.changePassword, { body }),
    success: 'Contraseña actualizada exitosamente',
    refreshes: [ownSessions],
  })

export const useEndOwnSession = () =>
  useSave({
    save: (id: string) => call(auth.endSession, { params: { id } }),
    success: 'Sesión cerrada exitosamente',
    refreshes: [ownSessions],
  })

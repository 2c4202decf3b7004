import { queryOptions } from '@tanstack/react-query'
import { type CreatedUser, type UserCreateForm, type UserEditForm, users } from '#contract/users.ts'
import { viewAs } from '#contract/view-as.ts'
import { sentText } from '#web/access-links/queries.ts'
import { call, type Seen } from '#web/api/client.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'
import { session } from '#web/api/session.ts'
import { wholeListQuery } from '#web/api/whole-list.ts'
import { orRefusal } from './refusal.ts'

export const usersQuery = () => wholeListQuery(keys.users, users.list)

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: [...keys.users, id],
    queryFn: ({ signal }) => call(users.get, { params: { id }, signal }),
    staleTime: 0,
    meta: { quiet: true },
  })

/** A user is created active; another status is a second call (decisions). */
async function createUser({ user_status, duty, ...form }: UserCreateForm, requestKey: string): Promise<CreatedUser> {
  const body = duty === 'owner' ? form : { ...form, duty }
  const user = await call(users.create, { body, requestKey })
  if (user_status === 'active') return user
  // A link would open nothing for them.
  return call(users.update, { params: { id: user.id }, body: { id: user.id, user_status } })
}

export const useCreateUser = () =>
  useSave({
    save: (form: UserCreateForm, requestKey) => orRefusal(createUser(form, requestKey)),
    success: ({ invitation, email }: CreatedUser) =>
      (invitation && sentText(invitation, email)) ?? 'Usuario creado exitosamente',
    refreshes: refreshedBy.user,
  })

export const useUpdateUser = () =>
  useSave({
    save: ({ id, updated_at, ...form }: UserEditForm & Seen) =>
      orRefusal(call(users.update, { params: { id }, body: { id, ...form }, ifMatch: updated_at })),
    success: 'Usuario actualizado exitosamente',
    list: keys.users,
    refreshes: refreshedBy.user,
  })

export const useRemoveUser = () =>
  useSave({
    save: (id: number) => call(users.remove, { params: { id } }),
    success: 'Usuario eliminado exitosamente',
    refreshes: refreshedBy.user,
  })

export const useResetPassword = () =>
  useSave({
    save: ({ id, password }: { id: number; password: string }) =>
      call(users.resetPassword, { params: { id }, body: { password } }),
    success: 'Contraseña restablecida exitosamente',
    refreshes: [],
  })

export const useViewAs = () =>
  useSave({
    save: async (id: number) => {
      const { access, refresh, user } = await call(viewAs.start, { params: { id } })
      session.beginView({ access, refresh }, user)
    },
    success: () => undefined,
    refreshes: [],
  })

export const useRemoveFactors = () =>
  useSave({
    save: (id: number) => call(users.removeFactors, { params: { id } }),
    success: 'Sesiones cerradas y segundos factores quitados',
    refreshes: [],
  })

export const useEndSessions = () =>
  useSave({
    save: (id: number) => call(users.endSessions, { params: { id } }),
    success: 'Sesiones cerradas exitosamente',
    refreshes: [],
  })

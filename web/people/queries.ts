import { queryOptions } from '@tanstack/react-query'
import { type PersonInvite, type PersonUpdate, people } from '#contract/people.ts'
import { EMAIL_TAKEN } from '#contract/users.ts'
import { sentText } from '#web/access-links/queries.ts'
import { call } from '#web/api/client.ts'
import { ApiError } from '#web/api/errors.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'

export const peopleQuery = () =>
  queryOptions({
    queryKey: keys.people,
    queryFn: ({ signal }) => call(people.list, { signal }),
    meta: { quiet: true },
  })

/** A taken address is shown at its field. */
const orTaken = (error: unknown): never => {
  if (error instanceof ApiError && error.code === 'DUPLICATE_EMAIL')
    throw new ApiError(error.status, EMAIL_TAKEN, { email: [EMAIL_TAKEN] }, error.code)
  throw error
}

export const useInvite = () =>
  useSave({
    save: (body: PersonInvite) => call(people.create, { body }).catch(orTaken),
    success: ({ invitation, email }) => sentText(invitation, email),
    refreshes: refreshedBy.person,
  })

export const useInviteAgain = () =>
  useSave({
    save: ({ id }: { id: number; email: string }) => call(people.invite, { params: { id } }),
    success: (link, { email }) => sentText(link, email),
    refreshes: refreshedBy.person,
  })

export const useUpdatePerson = () =>
  useSave({
    save: ({ id, ...body }: PersonUpdate & { id: number }) => call(people.update, { params: { id }, body }),
    success: 'Persona actualizada exitosamente',
    refreshes: refreshedBy.person,
  })

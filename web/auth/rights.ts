import { queryOptions } from '@tanstack/react-query'
import { auth } from '#contract/auth.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'

/** Under the users' key: a changed user may be oneself. */
export const rightsQuery = () =>
  queryOptions({
    queryKey: [...keys.users, 'rights'],
    queryFn: ({ signal }) => call(auth.rights, { signal }),
    meta: { quiet: true },
  })

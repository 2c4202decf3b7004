import { queryOptions } from '@tanstack/react-query'
import { auth } from '#contract/auth.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'

export const rightsQuery = () =>
  queryOptions({
    queryKey: keys.rights,
    queryFn: ({ signal }) => call(auth.rights, { signal }),
    meta: { quiet: true },
  })

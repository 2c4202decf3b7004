import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Import } from '#contract/imports.ts'
import { refreshedBy } from '#web/api/queries.ts'
import { reload } from '#web/api/query-client.ts'

/** Leads and figures change while a file is applied; they load again when it is. */
export function useRefreshWhenApplied(file: Import | undefined): void {
  const client = useQueryClient()
  const before = useRef(file?.status)
  useEffect(() => {
    const isDone = file?.status === 'applied' || file?.status === 'undone'
    if ((before.current === 'applying' || before.current === 'undoing') && isDone)
      for (const key of refreshedBy.applied) void reload(client, key)
    before.current = file?.status
  }, [client, file?.status])
}

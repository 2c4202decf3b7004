import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Import } from '#contract/imports.ts'
import { refreshedBy } from '#web/api/queries.ts'
import { reload } from '#web/api/query-client.ts'

/** Of every file when a screen last showed it: another one may show what it became. */
const lastStatus = new Map<number, Import['status']>()

/** Leads, payments and figures change while a file is applied or undone; they load again when it is. */
export function useRefreshWhenApplied(files: readonly Import[]): void {
  const client = useQueryClient()
  useEffect(() => {
    let isOver = false
    for (const { id, status } of files) {
      // A preview changes nothing.
      if (status === 'previewing') continue
      const before = lastStatus.get(id)
      lastStatus.set(id, status)
      if (before && before !== status) isOver ||= status === 'applied' || status === 'undone'
    }
    if (isOver) for (const key of refreshedBy.applied) void reload(client, key)
  }, [client, files])
}

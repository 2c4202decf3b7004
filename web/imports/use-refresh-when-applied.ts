import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Import } from '#contract/imports.ts'
import { refreshedBy } from '#web/api/queries.ts'
import { reload } from '#web/api/query-client.ts'

/** What files were when a screen last showed them: another one may show what they became. */
const shown = new Map<number, Import['status']>()

/** Leads, payments and figures change while a file is applied or undone; they load again when it is. */
export function useRefreshWhenApplied(files: readonly Import[]): void {
  const client = useQueryClient()
  useEffect(() => {
    let isOver = false
    for (const { id, status } of files) {
      if (status === 'previewing') continue // which changes nothing
      const before = shown.get(id)
      shown.set(id, status)
      if (before && before !== status) isOver ||= status === 'applied' || status === 'undone'
    }
    if (isOver) for (const key of refreshedBy.applied) void reload(client, key)
  }, [client, files])
}

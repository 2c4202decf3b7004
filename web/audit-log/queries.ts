import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { auditLog } from '#contract/audit-log.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'
import type { AuditQuery } from './filters.ts'

/** Refetched on each visit: it must include what the person just did. */
export const auditQuery = (query: AuditQuery) =>
  queryOptions({
    queryKey: [...keys.auditLog, query],
    queryFn: ({ signal }) => call(auditLog.list, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

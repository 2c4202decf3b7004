import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { type ReportTable, reports } from '#contract/boards.ts'
import type { Period } from '#contract/periods.ts'
import { call } from '#web/api/client.ts'
import { download } from '#web/api/download.ts'
import { keys } from '#web/api/queries.ts'
import { MINUTE_MS } from '#web/api/query-client.ts'

/** What the filters of a board ask for; an empty id is none. */
export interface Asked extends Period {
  product_id: string
  issuer_id: string
  affiliate_id: string
}

// Quiet, since the board shows its error. While other filters load, the figures before stay.
const shown = { meta: { quiet: true }, staleTime: MINUTE_MS, placeholderData: keepPreviousData } as const

export const performanceQuery = (query: Asked) =>
  queryOptions({
    queryKey: [...keys.boards, 'performance', query],
    queryFn: ({ signal }) => call(reports.performance, { query, signal }),
    ...shown,
  })

export const networkQuery = (query: Asked) =>
  queryOptions({
    queryKey: [...keys.boards, 'network', query],
    queryFn: ({ signal }) => call(reports.network, { query, signal }),
    ...shown,
  })

export const commissionsBoardQuery = (query: Asked) =>
  queryOptions({
    queryKey: [...keys.boards, 'commissions', query],
    queryFn: ({ signal }) => call(reports.commissions, { query, signal }),
    ...shown,
  })

export const funnelQuery = ({ product_id, ...query }: Asked) =>
  queryOptions({
    queryKey: [...keys.boards, 'funnel', product_id, query],
    queryFn: ({ signal }) => call(reports.funnel, { params: { id: product_id }, query, signal }),
    enabled: product_id !== '',
    ...shown,
  })

const NO_PROGRESS = () => undefined

/** Downloads a table of a board; small, so there is no progress and no cancelling. */
export const useSaveTable = () =>
  useMutation({
    mutationFn: ({ table, query }: { table: ReportTable; query: Asked }) => {
      const { signal } = new AbortController()
      return download(reports.table, { params: { table }, query: { ...query }, signal }, NO_PROGRESS)
    },
  })

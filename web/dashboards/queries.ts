import { queryOptions } from '@tanstack/react-query'
import { metrics } from '#contract/metrics.ts'
import { summary } from '#contract/summary.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'
import { MINUTE_MS } from '#web/api/query-client.ts'

export const dashboardsQuery = () =>
  queryOptions({ queryKey: keys.dashboards, queryFn: ({ signal }) => call(metrics.dashboards, { signal }) })

export const overviewQuery = () =>
  queryOptions({
    queryKey: keys.overview,
    queryFn: ({ signal }) => call(metrics.overview, { signal }),
    staleTime: MINUTE_MS,
  })

/** Quiet, since the screen shows its error. */
export const summaryQuery = () =>
  queryOptions({
    queryKey: [...keys.overview, 'summary'],
    queryFn: ({ signal }) => call(summary.get, { signal }),
    staleTime: MINUTE_MS,
    meta: { quiet: true },
  })

/** Of the last thirty complete days; quiet like the summary. */
export const moversQuery = () =>
  queryOptions({
    queryKey: [...keys.overview, 'movers'],
    queryFn: ({ signal }) => call(summary.movers, { query: {}, signal }),
    staleTime: MINUTE_MS,
    meta: { quiet: true },
  })

/** Below the overview's key: each save may be the one that was missing. It fails without a word: it only helps. */
export const firstStepsQuery = () =>
  queryOptions({
    queryKey: [...keys.overview, 'first-steps'],
    queryFn: ({ signal }) => call(metrics.firstSteps, { signal }),
    staleTime: MINUTE_MS,
    meta: { quiet: true },
  })

/** Below the overview's key: what changes the figures is activity, too. */
export const activityQuery = () =>
  queryOptions({
    queryKey: [...keys.overview, 'activity'],
    queryFn: ({ signal }) => call(metrics.activity, { signal }),
    staleTime: MINUTE_MS,
  })

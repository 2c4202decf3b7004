import { reports } from '#contract/boards.ts'
import { metrics } from '#contract/metrics.ts'
import { summary } from '#contract/summary.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { serveStream } from '../http/streams.ts'
import { inSnapshot } from '../snapshot.ts'
import { reportCommissions } from './commissions.ts'
import { getFirstSteps } from './first-steps.ts'
import { reportFunnel } from './funnel.ts'
import { readMovers } from './movers.ts'
import { reportNetwork } from './network.ts'
import { getOverview } from './overview.ts'
import { reportPerformance } from './performance.ts'
import { readSummary } from './summary.ts'
import { exportTable } from './tables.ts'

export function reportRoutes(app: App, db: Db): void {
  serve(app, metrics.overview, () => getOverview(db))
  serve(app, metrics.firstSteps, () => getFirstSteps(db))
  serve(app, summary.get, ({ viewer }) => inSnapshot(db, (tx) => readSummary(tx, viewer)))
  serve(app, summary.movers, ({ viewer, query }) => inSnapshot(db, (tx) => readMovers(tx, viewer, query)))
  serve(app, reports.performance, ({ viewer, query }) => inSnapshot(db, (tx) => reportPerformance(tx, viewer, query)))
  serve(app, reports.funnel, ({ viewer, params, query }) =>
    inSnapshot(db, (tx) => reportFunnel(tx, viewer, { ...query, product_id: params.id })),
  )
  serve(app, reports.commissions, ({ viewer, query }) => inSnapshot(db, (tx) => reportCommissions(tx, viewer, query)))
  serve(app, reports.network, ({ viewer, query }) => inSnapshot(db, (tx) => reportNetwork(tx, viewer, query)))
  serveStream(app, reports.table, ({ viewer, params, query }) => exportTable(db, viewer, params.table, query))
}

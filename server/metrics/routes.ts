import { metrics } from '#contract/metrics.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { getOverview, listActivity, listDashboards } from './queries.ts'

export function metricRoutes(app: App, db: Db, dashboardOrigins: string[]): void {
  serve(app, metrics.dashboards, ({ viewer }) => listDashboards(db, viewer, dashboardOrigins))
  serve(app, metrics.overview, () => getOverview(db))
  serve(app, metrics.activity, () => listActivity(db))
}

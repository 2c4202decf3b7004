import { dashboards } from '#contract/dashboards.ts'
import { metrics } from '#contract/metrics.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import {
  createExternalDashboard,
  getExternalDashboard,
  listDashboards,
  listExternalDashboards,
  removeExternalDashboard,
  updateExternalDashboard,
} from './queries.ts'

export function dashboardRoutes(app: App, db: Db, origins: string[]): void {
  serve(app, metrics.dashboards, ({ viewer }) => listDashboards(db, viewer, origins))
  serve(app, dashboards.list, ({ query }) => listExternalDashboards(db, origins, query))
  serve(app, dashboards.origins, async () => origins)
  serve(app, dashboards.get, ({ params }) => getExternalDashboard(db, origins, params.id))
  serve(app, dashboards.create, ({ viewer, body }) => createExternalDashboard(db, viewer, origins, body))
  serve(app, dashboards.update, ({ viewer, params, body, ifMatch }) =>
    updateExternalDashboard(db, viewer, origins, params.id, body, ifMatch),
  )
  serve(app, dashboards.remove, ({ viewer, params }) => removeExternalDashboard(db, viewer, params.id))
}

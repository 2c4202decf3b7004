import { auditLog } from '#contract/audit-log.ts'
import { metrics } from '#contract/metrics.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { listActivity, listEntries } from './queries.ts'

export function auditLogRoutes(app: App, db: Db): void {
  serve(app, metrics.activity, () => listActivity(db))
  serve(app, auditLog.list, ({ query }) => listEntries(db, query))
}

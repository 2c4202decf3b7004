import { adjustments } from '#contract/adjustments.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { requestKey } from '../http/idempotency.ts'
import { createAdjustment, voidAdjustment } from './adjustments.ts'
import { listAdjustments } from './queries.ts'

export function adjustmentRoutes(app: App, db: Db): void {
  serve(app, adjustments.list, ({ viewer, query }) => listAdjustments(db, viewer, query))
  serve(app, adjustments.create, ({ viewer, body, request }) => createAdjustment(db, viewer, body, requestKey(request)))
  serve(app, adjustments.void, ({ viewer, params, body }) => voidAdjustment(db, viewer, params.id, body))
}

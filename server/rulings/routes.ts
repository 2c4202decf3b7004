import { rulings } from '#contract/rulings.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { listReasons } from './queries.ts'
import { archiveReason, createReason, listAllReasons } from './reasons.ts'
import { rejectLead, restoreLead } from './rulings.ts'

export function rulingRoutes(app: App, db: Db): void {
  serve(app, rulings.reasons, () => listReasons(db))
  serve(app, rulings.allReasons, () => listAllReasons(db))
  serve(app, rulings.createReason, ({ viewer, body }) => createReason(db, viewer, body))
  serve(app, rulings.archiveReason, ({ viewer, body }) => archiveReason(db, viewer, body))
  serve(app, rulings.reject, ({ viewer, params, body }) => rejectLead(db, viewer, params.id, body))
  serve(app, rulings.restore, ({ viewer, params, body }) => restoreLead(db, viewer, params.id, body))
}

import { privacy } from '#contract/privacy.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { correctLead, eraseLead, findLeads, openFile } from './queries.ts'

export function privacyRoutes(app: App, db: Db): void {
  serve(app, privacy.search, ({ body }) => findLeads(db, body.text))
  serve(app, privacy.open, ({ viewer, params, body }) => openFile(db, viewer, params.id, body))
  serve(app, privacy.correct, ({ viewer, params, body }) => correctLead(db, viewer, params.id, body))
  serve(app, privacy.erase, ({ viewer, params, body }) => eraseLead(db, viewer, params.id, body))
}

import { leads } from '#contract/leads.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import type { Gate } from '../start/gate.ts'
import { fileLeads } from './filing.ts'
import { getLead, listLeads } from './queries.ts'

export function leadRoutes(app: App, db: Db, gate: Gate): void {
  fileLeads(app, db, gate)
  serve(app, leads.list, ({ viewer, query }) => listLeads(db, viewer, query))
  serve(app, leads.get, ({ viewer, params }) => getLead(db, viewer, params.id))
}

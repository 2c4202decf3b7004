import { leads } from '#contract/leads.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { getLead, listLeadEntries, listLeads } from './queries.ts'

export function leadRoutes(app: App, db: Db): void {
  serve(app, leads.list, ({ viewer, query }) => listLeads(db, viewer, query))
  serve(app, leads.get, ({ viewer, params }) => getLead(db, viewer, params.id))
  serve(app, leads.entries, ({ viewer, params }) => listLeadEntries(db, viewer, params.id))
}

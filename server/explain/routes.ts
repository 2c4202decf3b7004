import { explain } from '#contract/explain.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { explainEntry } from './entry.ts'
import { explainLead } from './lead.ts'
import { explainPayment } from './payment.ts'
import { searchExplainable } from './search.ts'

export function explainRoutes(app: App, db: Db): void {
  serve(app, explain.search, ({ viewer, query }) => searchExplainable(db, viewer, query.q))
  serve(app, explain.entry, ({ viewer, params }) => explainEntry(db, viewer, params.id))
  serve(app, explain.lead, ({ viewer, params }) => explainLead(db, viewer, params.id))
  serve(app, explain.payment, ({ viewer, params }) => explainPayment(db, viewer, params.id))
}

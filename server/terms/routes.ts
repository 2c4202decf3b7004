import { terms } from '#contract/terms.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { cancelTerm, createTerm, listTerms } from './queries.ts'

export function termRoutes(app: App, db: Db): void {
  serve(app, terms.list, ({ viewer, query }) => listTerms(db, viewer, query))
  serve(app, terms.create, ({ viewer, body }) => createTerm(db, viewer, body))
  serve(app, terms.cancel, ({ viewer, params }) => cancelTerm(db, viewer, params.id))
}

import { results } from '#contract/results.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { listResults } from './queries.ts'

export function resultRoutes(app: App, db: Db): void {
  serve(app, results.list, ({ viewer, query }) => listResults(db, viewer, query))
}

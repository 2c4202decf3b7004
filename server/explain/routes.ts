import { explain } from '#contract/explain.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { explainEntry } from './explain.ts'

export function explainRoutes(app: App, db: Db): void {
  serve(app, explain.entry, ({ viewer, params }) => explainEntry(db, viewer, params.id))
}

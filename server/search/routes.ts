import { search } from '#contract/search.ts'
import type { Db } from '#db/connect.ts'
import type { Config } from '../config.ts'
import { type App, serve } from '../http/http.ts'
import { find } from './queries.ts'

export function searchRoutes(app: App, db: Db, directory: Config['issuerDirectory']): void {
  serve(app, search.find, ({ viewer, query }) => find(db, viewer, directory, query.q))
}

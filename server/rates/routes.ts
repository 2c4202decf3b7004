import { rates } from '#contract/rates.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { listRates } from './queries.ts'

export function rateRoutes(app: App, db: Db): void {
  serve(app, rates.list, ({ viewer, query }) => listRates(db, viewer, query))
}

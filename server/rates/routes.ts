import { rates } from '#contract/rates.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { cancelRate, changeRate, endRate } from './changes.ts'
import { readCompensated } from './compensation.ts'
import { listRateHistory } from './history.ts'
import { previewRate } from './preview.ts'
import { listInForce, listRates } from './queries.ts'

export function rateRoutes(app: App, db: Db): void {
  serve(app, rates.list, ({ viewer, query }) => listRates(db, viewer, query))
  serve(app, rates.inForce, ({ viewer, query }) => listInForce(db, viewer, query))
  serve(app, rates.history, ({ viewer, params, query }) => listRateHistory(db, viewer, params.id, query))
  serve(app, rates.compensated, ({ viewer, params }) => readCompensated(db, viewer, params.id))
  serve(app, rates.preview, ({ viewer, body }) => previewRate(db, viewer, body))
  serve(app, rates.create, ({ viewer, body }) => changeRate(db, viewer, body))
  serve(app, rates.end, ({ viewer, params }) => endRate(db, viewer, params.id))
  serve(app, rates.cancel, ({ viewer, params }) => cancelRate(db, viewer, params.id))
}

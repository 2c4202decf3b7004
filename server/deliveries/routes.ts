import { deliveries } from '#contract/deliveries.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { getDelivery, replayDelivery } from './queries.ts'

export function deliveryRoutes(app: App, db: Db): void {
  serve(app, deliveries.get, ({ viewer, params }) => getDelivery(db, viewer, params.id))
  serve(app, deliveries.replay, ({ viewer, params }) => replayDelivery(db, viewer, params.id))
}

import { commissions } from '#contract/commissions.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { copyCommission } from './copy.ts'
import { listGaps } from './gaps.ts'
import { listChanges } from './history.ts'
import { createCommission, getCommission, listCommissions, removeCommission, updateCommission } from './queries.ts'

export function commissionRoutes(app: App, db: Db): void {
  serve(app, commissions.list, ({ viewer, query }) => listCommissions(db, viewer, query))
  serve(app, commissions.gaps, ({ viewer, query }) => listGaps(db, viewer, query))
  serve(app, commissions.get, ({ viewer, params }) => getCommission(db, viewer, params.id))
  serve(app, commissions.history, ({ viewer, params, query }) => listChanges(db, viewer, params.id, query))
  serve(app, commissions.create, ({ viewer, body }) => createCommission(db, viewer, body))
  serve(app, commissions.copy, ({ viewer, params, body }) => copyCommission(db, viewer, params.id, body))
  serve(app, commissions.update, ({ viewer, params, body, ifMatch }) =>
    updateCommission(db, viewer, params.id, body, ifMatch),
  )
  serve(app, commissions.remove, ({ viewer, params }) => removeCommission(db, viewer, params.id))
}

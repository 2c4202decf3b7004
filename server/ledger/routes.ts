import { commissionEntries } from '#contract/commission-entries.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { listOwnEntries } from './own-entries.ts'
import { approveEntries, listWaiting } from './waiting.ts'

export function ledgerRoutes(app: App, db: Db): void {
  serve(app, commissionEntries.list, ({ viewer, query }) => listOwnEntries(db, viewer, query))
  serve(app, commissionEntries.waiting, ({ viewer, query }) => listWaiting(db, viewer, query))
  serve(app, commissionEntries.approve, ({ viewer, body }) => approveEntries(db, viewer, body))
}

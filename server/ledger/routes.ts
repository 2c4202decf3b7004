import { commissionEntries } from '#contract/commission-entries.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { listOwnEntries } from './own-entries.ts'

export function ledgerRoutes(app: App, db: Db): void {
  serve(app, commissionEntries.list, ({ viewer, query }) => listOwnEntries(db, viewer, query))
}

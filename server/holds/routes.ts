import { holds } from '#contract/holds.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { holdEntry, releaseEntry } from './holds.ts'

export function holdRoutes(app: App, db: Db): void {
  serve(app, holds.hold, ({ viewer, params, body }) => holdEntry(db, viewer, params.id, body))
  serve(app, holds.release, ({ viewer, params, body }) => releaseEntry(db, viewer, params.id, body))
}

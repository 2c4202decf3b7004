import { mail } from '#contract/mail.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { listMail } from './queries.ts'

export function mailRoutes(app: App, db: Db): void {
  serve(app, mail.list, ({ query }) => listMail(db, query))
}

import { notices } from '#contract/notices.ts'
import type { Db } from '#db/connect.ts'
import { type App, serve } from '../http/http.ts'
import { choose, readChoices } from './choices.ts'
import { listNotices, readNotices } from './queries.ts'

/** `mails` says whether mail is set up. */
export function noticeRoutes(app: App, db: Db, mails: boolean): void {
  serve(app, notices.list, ({ viewer }) => listNotices(db, viewer))
  serve(app, notices.read, ({ viewer, body }) => readNotices(db, viewer, body))
  serve(app, notices.choices, ({ viewer }) => readChoices(db, viewer, mails))
  serve(app, notices.choose, ({ viewer, body }) => choose(db, viewer, body))
}

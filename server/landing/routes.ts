import type { Db } from '#db/connect.ts'
import type { Config } from '../config.ts'
import { serveBuilt } from '../http/built-page.ts'
import type { App } from '../http/http.ts'
import { BUILT, pageHeaders } from '../http/web.ts'
import { completeLanding } from './page.ts'

type Settings = Pick<Config, 'publicUrl' | 'supportUrl' | 'demo'>

/** The landing page, the same at both of its addresses, for everybody. */
export function landingRoutes(app: App, db: Db, settings: Settings, root = BUILT): void {
  for (const url of ['/', '/landing'])
    serveBuilt(app, db, url, {
      file: `${root}landing.html`,
      headers: pageHeaders(url),
      demo: settings.demo,
      complete: (built, accounts) => completeLanding(built, { ...settings, demo: accounts.length > 0 }),
    })
}

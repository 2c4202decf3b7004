import type { Db } from '#db/connect.ts'
import { demoAccountsIfKnown } from '../auth/demo-accounts.ts'
import type { Config } from '../config.ts'
import type { App } from '../http.ts'
import { readBuilt, sendPage } from '../page.ts'
import { BUILT, pageHeaders, sendUnbuilt } from '../web.ts'
import { completeLanding } from './page.ts'

type Settings = Pick<Config, 'publicUrl' | 'supportUrl' | 'demo'>

/** The landing page, the same at both of its addresses, whoever asks. */
export function landingRoutes(app: App, db: Db, settings: Settings, root = BUILT): void {
  for (const url of ['/', '/landing']) {
    app.get(url, { exposeHeadRoute: true }, async (request, reply) => {
      const built = await readBuilt(`${root}landing.html`)
      if (!built) return sendUnbuilt(reply)
      const accounts = await demoAccountsIfKnown(db, settings.demo, (error) => request.log.warn(error))
      const demo = accounts.length > 0
      return sendPage(request, reply, completeLanding(built, { ...settings, demo }), pageHeaders(url))
    })
  }
}

import { readFile } from 'node:fs/promises'
import type { Db } from '#db/connect.ts'
import { codeOf } from '#db/operator-error.ts'
import { listDemoAccounts } from '../auth/demo-accounts.ts'
import type { Config } from '../config.ts'
import type { App } from '../http.ts'
import { sendPage } from '../page.ts'
import { BUILT, pageHeaders, sendUnbuilt } from '../web.ts'
import { completeLanding } from './page.ts'

type Settings = Pick<Config, 'publicUrl' | 'supportUrl' | 'demo'>

/** The landing page, the same at both of its addresses, whoever asks. */
export function landingRoutes(app: App, db: Db, settings: Settings, root = BUILT): void {
  for (const url of ['/', '/landing']) {
    app.get(url, { exposeHeadRoute: true }, async (request, reply) => {
      const built = await readBuilt(`${root}landing.html`)
      if (!built) return sendUnbuilt(reply)
      const demo = await offersDemo(db, settings.demo, (error) => request.log.warn(error))
      return sendPage(request, reply, completeLanding(built, { ...settings, demo }), pageHeaders(url))
    })
  }
}

async function readBuilt(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** A database that is away costs the visitor the demonstration, not the page. */
async function offersDemo(db: Db, demo: boolean, warn: (error: unknown) => void): Promise<boolean> {
  try {
    return (await listDemoAccounts(db, demo)).length > 0
  } catch (error) {
    warn(error)
    return false
  }
}

import { readFile } from 'node:fs/promises'
import type { Db } from '#db/connect.ts'
import { codeOf } from '#db/operator-error.ts'
import { listDemoAccounts } from '../auth/demo-accounts.ts'
import type { App } from './http.ts'
import { sendPage } from './page.ts'
import { sendUnbuilt } from './web.ts'

export type Accounts = Awaited<ReturnType<typeof listDemoAccounts>>

interface BuiltPage {
  file: string
  headers: Record<string, string>
  demo: boolean
  /** Inserts what only the running server knows, such as the demonstration accounts (D65). */
  complete: (built: string, accounts: Accounts) => string
}

/** A page rendered when the web was built. */
export function serveBuilt(app: App, db: Db, url: string, { file, headers, demo, complete }: BuiltPage): void {
  app.get(url, { exposeHeadRoute: true }, async (request, reply) => {
    const built = await readBuilt(file)
    if (!built) return sendUnbuilt(reply)
    const accounts = await listDemoAccounts(db, demo).catch((error): Accounts => {
      // Without a database the page is served without accounts.
      request.log.warn(error)
      return []
    })
    return sendPage(request, reply, complete(built, accounts), headers)
  })
}

/** Nothing when the web is not built. */
async function readBuilt(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

import type { Db } from '#db/connect.ts'
import type { Config } from '../config.ts'
import type { App } from '../http.ts'
import { readBuilt, sendPage } from '../page.ts'
import { BUILT, pageHeaders, sendUnbuilt } from '../web.ts'
import { demoAccountsIfKnown, type listDemoAccounts } from './demo-accounts.ts'

type Settings = Pick<Config, 'demo' | 'dashboardOrigins'>
type Accounts = Awaited<ReturnType<typeof listDemoAccounts>>

const PLACE = '<!-- the accounts -->'
const OFFER = /<section aria-labelledby="demo".*?<\/section>/s

/** The sign-in, drawn before its script comes; the script finds in it what it would have to ask for. */
export function loginPage(app: App, db: Db, { demo, dashboardOrigins }: Settings, root = BUILT): void {
  app.get('/login', { exposeHeadRoute: true }, async (request, reply) => {
    const built = await readBuilt(`${root}login.html`)
    if (!built) return sendUnbuilt(reply)
    const accounts = await demoAccountsIfKnown(db, demo, (error) => request.log.warn(error))
    return sendPage(request, reply, completeLogin(built, accounts), pageHeaders('login', dashboardOrigins))
  })
}

/** Without accounts to offer, neither they nor their place are on the page. */
export function completeLogin(built: string, accounts: Accounts): string {
  const data = JSON.stringify(accounts).replaceAll('<', '\\u003c')
  const page = built.replace(PLACE, () => `<script type="application/json" id="demo-accounts">${data}</script>`)
  return accounts.length ? page : page.replace(OFFER, '')
}

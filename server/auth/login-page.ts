import type { Db } from '#db/connect.ts'
import type { Config } from '../config.ts'
import { type Accounts, serveBuilt } from '../http/built-page.ts'
import type { App } from '../http/http.ts'
import { BUILT, type OtherOrigins, pageHeaders } from '../http/web.ts'

type Settings = Pick<Config, 'demo'> & OtherOrigins

const PLACE = '<!-- the accounts -->'
const OFFER = /<section aria-labelledby="demo".*?<\/section>/s

/** The sign-in page, rendered before its script loads, with the data that the script would request. */
export function loginPage(app: App, db: Db, settings: Settings, root = BUILT): void {
  const headers = pageHeaders('login', settings)
  serveBuilt(app, db, '/login', { file: `${root}login.html`, headers, demo: settings.demo, complete: completeLogin })
}

/** Without accounts to offer, their section is left out. */
export function completeLogin(built: string, accounts: Accounts): string {
  const data = JSON.stringify(accounts).replaceAll('<', '\\u003c')
  const page = built.replace(PLACE, () => `<script type="application/json" id="demo-accounts">${data}</script>`)
  return accounts.length ? page : page.replace(OFFER, '')
}

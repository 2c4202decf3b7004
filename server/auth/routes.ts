import { auth } from '#contract/auth.ts'
import { viewAs } from '#contract/view-as.ts'
import type { Db } from '#db/connect.ts'
import type { Config } from '../config.ts'
import { Answer, type App, serve } from '../http/http.ts'
import type { Factors } from '../second-factors/factors.ts'
import { getUser } from '../users/queries.ts'
import { forgetting, type Identities } from '../viewer.ts'
import { listDemoAccounts } from './demo-accounts.ts'
import { elevate } from './elevate.ts'
import { changePassword, login } from './login.ts'
import { originOf } from './origin.ts'
import { readRights } from './rights.ts'
import { loginSecond, loginWithPasskey } from './second-step.ts'
import { endSession, listSessions, logout, refreshSession } from './sessions.ts'
import type { Throttle } from './throttle.ts'
import type { AccessTokens } from './tokens.ts'
import { startView } from './view-as.ts'

interface Parts {
  throttle: Throttle
  tokens: AccessTokens
  identities: Identities
  config: Config
  factors: Factors
}

export function authRoutes(app: App, db: Db, { throttle, tokens, identities, config, factors }: Parts): void {
  const doors = { throttle, tokens, ...factors }
  const andForget = forgetting(() => identities.clear())
  serve(app, auth.login, ({ body, request }) => login(db, doors, body, originOf(request)))
  serve(app, auth.loginSecond, ({ body, request }) => loginSecond(db, doors, body, originOf(request)))
  serve(app, auth.passkeyOptions, async ({ request }) => {
    await throttle.countQuestion(originOf(request).address)
    return factors.passkeys.startAssertion(db)
  })
  serve(app, auth.loginPasskey, ({ body, request }) => loginWithPasskey(db, doors, body, originOf(request)))
  serve(app, auth.refresh, async ({ body, request }) => {
    const access = await refreshSession(db, throttle, tokens, body.refresh, originOf(request))
    return new Answer({ access }, { top: { access } })
  })
  serve(app, auth.logout, async ({ viewer, body, request }) => {
    await logout(db, { refresh: body?.refresh, id: viewer?.sessionId }, originOf(request))
    identities.clear()
    return undefined
  })
  serve(app, auth.profile, ({ viewer }) => getUser(db, viewer.userId))
  serve(app, auth.rights, ({ viewer }) => readRights(db, viewer, config))
  serve(app, auth.changePassword, ({ viewer, body }) => andForget(changePassword(db, throttle, viewer, body)))
  serve(app, auth.elevate, ({ viewer, body }) => andForget(elevate(db, doors, viewer, body)))
  serve(app, auth.sessions, ({ viewer }) => listSessions(db, viewer))
  serve(app, auth.endSession, ({ viewer, params }) => andForget(endSession(db, viewer, params.id)))
  serve(app, viewAs.start, async ({ viewer, params, request }) => {
    const view = await andForget(startView(db, tokens, viewer, params.id, originOf(request)))
    // What is kept for a repeated request must not hold the tokens.
    return new Answer(view, { kept: { ...view, access: '', refresh: '' } })
  })
  serve(app, auth.demoAccounts, () => listDemoAccounts(db, config.demo))
}

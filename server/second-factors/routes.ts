import { secondFactors } from '#contract/second-factors.ts'
import { securityPolicy } from '#contract/security-policy.ts'
import type { Db } from '#db/connect.ts'
import { Answer, type App, serve } from '../http/http.ts'
import type { Forgetting } from '../viewer.ts'
import type { Factors } from './factors.ts'
import { listPolicies, updatePolicy } from './policy.ts'
import { addPasskey, confirmTotp, listFactors, removeFactor, renewRecoveryCodes, startTotp } from './queries.ts'

/** What is kept for a repeated request must hold neither seed nor codes. */
const once = <T>(data: T, kept: T) => new Answer(data, { kept })
const SHOWN = { recovery_codes: null }

export function secondFactorRoutes(app: App, db: Db, factors: Factors, andForget: Forgetting): void {
  const { codes, passkeys } = factors
  serve(app, secondFactors.own, ({ viewer }) => listFactors(db, viewer, passkeys))
  serve(app, secondFactors.startTotp, async ({ viewer }) =>
    once(await startTotp(db, viewer, codes), { secret: '', uri: '' }),
  )
  serve(app, secondFactors.confirmTotp, async ({ viewer, body }) =>
    once(await andForget(confirmTotp(db, viewer, codes, body.code)), SHOWN),
  )
  serve(app, secondFactors.startPasskey, ({ viewer }) => passkeys.startRegistration(db, viewer))
  serve(app, secondFactors.addPasskey, async ({ viewer, body }) =>
    once(await andForget(addPasskey(db, viewer, factors, body)), SHOWN),
  )
  serve(app, secondFactors.renewRecoveryCodes, async ({ viewer }) =>
    once(await renewRecoveryCodes(db, viewer, codes), SHOWN),
  )
  serve(app, secondFactors.remove, ({ viewer, params }) => andForget(removeFactor(db, viewer, params.id)))
  serve(app, securityPolicy.list, () => listPolicies(db))
  serve(app, securityPolicy.update, ({ viewer, body }) => andForget(updatePolicy(db, viewer, body)))
}

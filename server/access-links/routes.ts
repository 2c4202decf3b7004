import { accessLinks } from '#contract/access-links.ts'
import type { Db } from '#db/connect.ts'
import { originOf } from '../auth/origin.ts'
import type { Throttle } from '../auth/throttle.ts'
import { Answer, type App, serve } from '../http/http.ts'
import type { Identities } from '../viewer.ts'
import { type Delivery, giveLink, listRequests } from './give.ts'
import { findLink } from './links.ts'
import { askForLink, choosePassword } from './use.ts'

interface Parts {
  db: Db
  throttle: Throttle
  identities: Identities
  delivery: Delivery
}

export function accessLinkRoutes(app: App, parts: Parts): void {
  const { db, throttle, identities, delivery } = parts
  serve(app, accessLinks.forgot, async ({ body, request }) => {
    await askForLink(parts, body, originOf(request))
    return { mails: delivery.mails }
  })
  serve(app, accessLinks.open, async ({ body, request }) => {
    const check = () => findLink(db, body.token)
    const { purpose, email, first_name } = await throttle.guardToken(originOf(request).address, check)
    return { purpose, email, first_name }
  })
  serve(app, accessLinks.use, async ({ body, request }) => {
    const from = originOf(request)
    await throttle.guardToken(from.address, () => choosePassword(parts, body, from))
    identities.clear()
    return undefined
  })
  serve(app, accessLinks.requests, () => listRequests(db))
  serve(app, accessLinks.create, async ({ viewer, body }) => {
    const link = await giveLink(db, viewer, delivery, body.user_id)
    // What is kept for a repeated request must not hold the link.
    return new Answer(link, { kept: { ...link, url: null } })
  })
}

import { integration } from '#contract/integration.ts'
import type { Links } from '../clicks/links.ts'
import { answerOne } from '../events/batch.ts'
import { type Rehearsal, rehearseEvent } from '../events/rehearsal.ts'
import { type App, serve } from '../http/http.ts'
import { listReceived } from './queries.ts'

export function integrationRoutes(app: App, rehearsal: Rehearsal, links: Links): void {
  serve(app, integration.addresses, async () => links.eventAddresses())
  serve(app, integration.received, ({ viewer }) => listReceived(rehearsal.db, viewer.issuerId))
  serve(app, integration.tryEvent, async ({ viewer: { issuerId }, body }) => {
    const sender = { issuerId, from: null, came: null }
    return answerOne(body.event, (event) => rehearseEvent(rehearsal, sender, event))
  })
}

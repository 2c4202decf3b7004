import { receivers } from '#contract/receivers.ts'
import { listDeliveries, replayPeriod } from '../deliveries/queries.ts'
import { Answer, type App, serve } from '../http/http.ts'
import { createLimit } from '../http/limits.ts'
import { previewReceiver, testReceiver } from './previews.ts'
import {
  createReceiver,
  getReceiver,
  listReceivers,
  type Outbound,
  pauseReceiver,
  removeReceiver,
  resumeReceiver,
  updateReceiver,
} from './queries.ts'
import { revealSecret, rotateSecret } from './secrets.ts'

const TESTS = { name: 'tests', points: 10, duration: 60 }
const TOO_MANY_TESTS = 'Solo diez pruebas por minuto. Espera un momento e inténtalo de nuevo.'

export function receiverRoutes(app: App, parts: Outbound): void {
  const { db } = parts
  const limitTests = createLimit(TESTS, TOO_MANY_TESTS)
  serve(app, receivers.list, ({ viewer }) => listReceivers(db, viewer))
  serve(app, receivers.create, ({ viewer, body }) => createReceiver(parts, viewer, body))
  serve(app, receivers.preview, ({ viewer, body }) => previewReceiver(parts, viewer, body))
  serve(app, receivers.get, ({ viewer, params }) => getReceiver(db, viewer, params.id))
  serve(app, receivers.update, ({ viewer, params, body }) => updateReceiver(parts, viewer, params.id, body))
  serve(app, receivers.remove, ({ viewer, params }) => removeReceiver(parts, viewer, params.id))
  serve(app, receivers.test, async ({ viewer, params, request }) => {
    await limitTests(viewer.userId, request)
    return testReceiver(parts, viewer, params.id)
  })
  serve(app, receivers.secret, ({ viewer, params }) => revealSecret(parts, viewer, params.id))
  serve(app, receivers.rotateSecret, async ({ viewer, params }) => {
    const made = await rotateSecret(parts, viewer, params.id)
    // What is kept for a repeated request must not hold the secret.
    return new Answer(made, { kept: { ...made, secret: null } })
  })
  serve(app, receivers.pause, ({ viewer, params }) => pauseReceiver(parts, viewer, params.id))
  serve(app, receivers.resume, ({ viewer, params }) => resumeReceiver(parts, viewer, params.id))
  serve(app, receivers.deliveries, ({ viewer, params, query }) => listDeliveries(db, viewer, params.id, query))
  serve(app, receivers.replay, ({ viewer, params, body }) => replayPeriod(db, viewer, params.id, body))
}

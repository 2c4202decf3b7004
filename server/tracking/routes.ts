import type { IncomingHttpHeaders } from 'node:http'
import { cleanText } from '#contract/fields.ts'
import { type IncomingEvent, PARAM_LIMIT, tracking } from '#contract/tracking.ts'
import type { Db } from '#db/connect.ts'
import type { ApiKeys } from '../api-keys.ts'
import { invalid } from '../errors.ts'
import { Answer, type App, serve } from '../http.ts'
import { storeBatch } from './batch.ts'
import { requireIssuerKey, senderOf } from './issuer-access.ts'
import { lookUpEvents } from './lookup.ts'
import { postbackRoutes } from './postback.ts'
import { keepRefusals, readSaid, statusOf } from './receipts.ts'
import { receiveEvent } from './receive.ts'
import type { SpoolIndex } from './spooled-leads.ts'

/** What issuers' systems call. Each way of proving who speaks has a scope of its own. */
export async function trackingRoutes(app: App, db: Db, apiKeys: ApiKeys, spool: SpoolIndex): Promise<void> {
  await app.register(async (scope) => {
    requireIssuerKey(scope, apiKeys)
    keepRefusals(scope, db, ({ method, body, headers }) => (method === 'POST' ? readSaid(body, headers) : undefined))
    eventRoutes(scope, db, spool)
  })
  await app.register(postbackRoutes, { db, apiKeys, spool })
}

function eventRoutes(scope: App, db: Db, spool: SpoolIndex): void {
  serve(scope, tracking.storeEvent, async ({ body, request }) => {
    const { stored, warnings } = await receiveEvent(db, senderOf(request), withEventId(body, request.headers), spool)
    return new Answer(stored, { status: statusOf(stored), meta: warnings.length ? { warnings } : {} })
  })
  serve(scope, tracking.storeBatch, async ({ body, request }) => {
    const { results, warnings } = await storeBatch(db, senderOf(request), body.events, spool)
    return new Answer({ results }, { meta: warnings.length ? { warnings } : {} })
  })
  serve(scope, tracking.lookUp, ({ query, request }) => lookUpEvents(db, senderOf(request).issuerId, query))
}

/** Idempotency-Key is another name for event_id; the body's own comes first. */
function withEventId(event: IncomingEvent, headers: IncomingHttpHeaders): IncomingEvent {
  const header = headers['idempotency-key']
  if (event.event_id !== undefined || typeof header !== 'string') return event
  const event_id = cleanText(header).trim()
  if (event_id === '' || event_id.length > PARAM_LIMIT)
    throw invalid('event_id', `Idempotency-Key debe tener de 1 a ${PARAM_LIMIT} caracteres`)
  return { ...event, event_id }
}

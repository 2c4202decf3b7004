import type { IncomingHttpHeaders } from 'node:http'
import { cleanText } from '#contract/fields.ts'
import { type IncomingEvent, PARAM_LIMIT, tracking } from '#contract/tracking.ts'
import { invalid } from '../http/errors.ts'
import { Answer, type App, serve } from '../http/http.ts'
import { type IssuerAccess, requireIssuerKey, senderOf } from './access.ts'
import { storeBatch } from './batch.ts'
import { type Intake, receiveEvent } from './intake.ts'
import { lookUpEvents } from './lookup.ts'
import { postbackRoutes } from './postback.ts'
import { keepRefusals, readSummary, statusOf } from './receipts.ts'
import { isSigned } from './signature.ts'

/** The calls of issuers' systems. Each kind of authentication has its own scope. */
export async function trackingRoutes(app: App, intake: Intake, access: IssuerAccess): Promise<void> {
  await app.register(async (scope) => {
    requireIssuerKey(scope, access)
    keepRefusals(scope, intake, ({ method, body, headers }) =>
      method === 'POST' ? readSummary(body, headers) : undefined,
    )
    eventRoutes(scope, intake)
  })
  await app.register(postbackRoutes, { intake, apiKeys: access.apiKeys })
}

function eventRoutes(scope: App, intake: Intake): void {
  serve(scope, tracking.storeEvent, async ({ body, request }) => {
    const { stored, warnings } = await receiveEvent(intake, senderOf(request), withEventId(body, request.headers))
    return new Answer(stored, { status: statusOf(stored), meta: warnings.length ? { warnings } : {} })
  })
  serve(scope, tracking.storeBatch, async ({ body, request }) => {
    const { results, warnings } = await storeBatch(intake, senderOf(request), body.events)
    return new Answer({ results }, { meta: warnings.length ? { warnings } : {} })
  })
  serve(scope, tracking.lookUp, ({ query, request }) => lookUpEvents(intake, senderOf(request).issuerId, query))
}

/** Idempotency-Key is another name for event_id; the body's own comes first. */
function withEventId(event: IncomingEvent, headers: IncomingHttpHeaders): IncomingEvent {
  const header = headers['idempotency-key']
  if (event.event_id !== undefined || typeof header !== 'string') return event
  // The header is not signed: whoever copied a signed call could send it again under another key.
  if (isSigned(headers))
    throw invalid('event_id', 'La firma no cubre Idempotency-Key: manda event_id en el cuerpo de un evento firmado')
  const event_id = cleanText(header).trim()
  if (event_id === '' || event_id.length > PARAM_LIMIT)
    throw invalid('event_id', `Idempotency-Key debe tener de 1 a ${PARAM_LIMIT} caracteres`)
  return { ...event, event_id }
}

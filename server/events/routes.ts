import type { IncomingHttpHeaders } from 'node:http'
import { tracking } from '#contract/tracking.ts'
import { invalid, schemaError } from '../http/errors.ts'
import { Answer, type App, serve } from '../http/http.ts'
import { sane } from '../http/input.ts'
import { type IssuerAccess, requireIssuerKey, senderOf } from './access.ts'
import { storeBatch } from './batch.ts'
import { type Intake, receiveEvent } from './intake.ts'
import { lookUpEvents } from './lookup.ts'
import { postbackRoutes } from './postback.ts'
import { fieldsOf, ignored, type ReadEvent, readEvent, readId, shallow } from './read-event.ts'
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
  serve(scope, tracking.storeEvent, async ({ request }) => {
    const read = withEventId(readEvent(sane(shallow(request.body))), request.headers)
    const { stored, warnings } = await receiveEvent(intake, senderOf(request), read)
    return new Answer(stored, { status: statusOf(stored), meta: warnings.length ? { warnings } : {} })
  })
  serve(scope, tracking.storeBatch, async ({ request }) => {
    const parsed = tracking.storeBatch.body.safeParse(manyOf(request.body))
    if (!parsed.success) throw schemaError(parsed.error, 422)
    const events = parsed.data.events.map(shallow)
    sane({ events })
    const { results, warnings } = await storeBatch(intake, senderOf(request), events)
    return new Answer({ results }, { meta: warnings.length ? { warnings } : {} })
  })
  serve(scope, tracking.lookUp, ({ query, request }) => lookUpEvents(intake, senderOf(request).issuerId, query))
}

/** A list without its name, or one event, is a batch, too. */
function manyOf(body: unknown): unknown {
  if (Array.isArray(body)) return { events: body }
  return fieldsOf(body).tracking_id === undefined ? body : { events: [body] }
}

/** Idempotency-Key is another name for event_id; the body's own comes first. */
function withEventId({ event, warnings }: ReadEvent, headers: IncomingHttpHeaders): ReadEvent {
  const header = headers['idempotency-key']
  if (event.event_id !== undefined || typeof header !== 'string') return { event, warnings }
  // The header is not signed: whoever copied a signed call could send it again under another key.
  if (isSigned(headers))
    throw invalid('event_id', 'La firma no cubre Idempotency-Key: manda event_id en el cuerpo de un evento firmado')
  const event_id = readId(header)
  return event_id === undefined
    ? { event, warnings: [...new Set([...warnings, ignored('event_id')])] }
    : { event: { ...event, event_id }, warnings: warnings.filter((warning) => warning !== ignored('event_id')) }
}

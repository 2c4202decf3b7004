import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { cleanText } from '#contract/fields.ts'
import { RECEIVED_LIMIT, testProductOf, type Verdict } from '#contract/integration.ts'
import { readTrackingId } from '#contract/outside-ids.ts'
import { PARAM_LIMIT, type StoredEvent } from '#contract/tracking.ts'
import type { Db } from '#db/connect.ts'
import { type AppError, answerError, translate } from '../http/errors.ts'
import type { App } from '../http/http.ts'
import { maskPersonal } from '../privacy/mask.ts'
import type { Intake } from './intake.ts'
import { fieldsOf } from './read-event.ts'
import type { Sender } from './sent-events.ts'

/** What a request says of its event, as far as it can be read. */
interface EventSummary {
  tracking_id: string | null
  event_id: string | null
  step: string | null
  source: string
}

export const statusOf = ({ duplicate }: StoredEvent): 200 | 201 => (duplicate ? 200 : 201)
export const codeOf = ({ duplicate, test }: Pick<StoredEvent, 'duplicate' | 'test'>): string =>
  duplicate ? 'DUPLICATE' : test ? 'TEST' : 'STORED'

/** `body` may be anything: that of a refused event has passed no schema. */
export function readSummary(body: unknown, headers: IncomingHttpHeaders = {}): EventSummary {
  const event = fieldsOf(body)
  const selector = event.step_id ?? event.event_type ?? event.event_type_id ?? event.step_order
  return {
    tracking_id: trackingOf(event.tracking_id),
    event_id: textOf(event.event_id) ?? textOf(headers['idempotency-key']),
    step: textOf(selector),
    source: textOf(event.source) ?? 'api',
  }
}

/** The id where there is one, so that what is kept of a lead is found by it. */
const trackingOf = (value: unknown): string | null =>
  (typeof value === 'string' && readTrackingId(value)) || textOf(value)

function textOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = maskPersonal(cleanText(String(value)).trim(), () => undefined)
  return text === '' ? null : [...text].slice(0, PARAM_LIMIT).join('')
}

interface Receipt extends EventSummary {
  verdict: Verdict
  code: string
  message: string | null
}

/** The receipt of a duplicate or a test, of which nothing else is stored; none for a stored event. */
export function receiptOf(summary: EventSummary, stored: StoredEvent): Receipt | undefined {
  if (!stored.duplicate && !stored.test) return undefined
  const verdict = stored.duplicate ? 'duplicate' : 'accepted'
  return { ...summary, step: stored.step_name, verdict, code: codeOf(stored), message: null }
}

export const refusedReceipt = (summary: EventSummary, { code, message }: AppError): Receipt => ({
  ...summary,
  ...{ verdict: 'rejected', code, message },
})

/** Deletes the issuer's oldest, so that no sender can fill the table. */
export async function keepReceipts(db: Db, { issuerId, from }: Sender, receipts: readonly Receipt[]): Promise<void> {
  if (!receipts.length) return
  const rows = receipts.slice(-RECEIVED_LIMIT).map((receipt) => ({
    ...{ issuer_id: issuerId, sent_from: from, is_test: testProductOf(receipt.tracking_id ?? '') !== undefined },
    ...receipt,
  }))
  await db
    .with('added', (cte) => cte.insertInto('event_receipt').values(rows))
    .deleteFrom('event_receipt')
    .where('issuer_id', '=', issuerId)
    .where('id', '<=', (eb) =>
      // The statement does not see the rows that it inserts.
      eb
        .selectFrom('event_receipt')
        .select('id')
        .where('issuer_id', '=', issuerId)
        .orderBy('id', 'desc')
        .offset(RECEIVED_LIMIT - rows.length)
        .limit(1),
    )
    .execute()
}

type Books = Pick<Intake, 'db' | 'measures'>

function keepRefusal({ db, measures }: Books, sender: Sender, summary: EventSummary, refusal: AppError): Promise<void> {
  measures.event('rejected')
  return keepReceipts(db, sender, [refusedReceipt(summary, refusal)])
}

/** A refusal of the event itself; 5xx and 429 only ask the sender to wait. */
export const isFinal = ({ status }: AppError): boolean => status < 500 && status !== 429

/** Stores a receipt of every refusal to a known issuer in this scope, unless `summaryOf` returns none. */
export function keepRefusals(
  scope: App,
  books: Books,
  summaryOf: (request: FastifyRequest) => EventSummary | undefined,
): void {
  scope.setErrorHandler(async (error, request, reply) => {
    const refusal = translate(error)
    const summary = request.sender && isFinal(refusal) ? summaryOf(request) : undefined
    if (request.sender && summary)
      await keepRefusal(books, request.sender, summary, refusal).catch((err: unknown) =>
        // A receipt that fails must not change the answer.
        request.log.error({ err }, 'refused event not kept'),
      )
    return answerError(error, request, reply)
  })
}

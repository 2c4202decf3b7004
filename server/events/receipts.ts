import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { cleanText } from '#contract/fields.ts'
import { RECEIVED_LIMIT, testProductOf, type Verdict } from '#contract/integration.ts'
import { PARAM_LIMIT, type StoredEvent } from '#contract/tracking.ts'
import type { Db } from '#db/connect.ts'
import { type AppError, answerError, translate } from '../http/errors.ts'
import type { App } from '../http/http.ts'
import type { Intake } from './intake.ts'

/** What an event says of itself, as far as it can be told. */
export interface Said {
  tracking_id: string | null
  event_id: string | null
  step: string | null
  source: string
}

type Outcome = Pick<StoredEvent, 'duplicate' | 'test'>

export const statusOf = ({ duplicate }: Outcome): 200 | 201 => (duplicate ? 200 : 201)
export const codeOf = ({ duplicate, test }: Outcome): string => (duplicate ? 'DUPLICATE' : test ? 'TEST' : 'STORED')

/** Reads what may be anything: the body of a refused event was not judged by any schema. */
export function readSaid(body: unknown, headers: IncomingHttpHeaders = {}): Said {
  const event = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const selector = event.step_id ?? event.event_type ?? event.event_type_id ?? event.step_order
  return {
    tracking_id: textOf(event.tracking_id),
    event_id: textOf(event.event_id) ?? textOf(headers['idempotency-key']),
    step: textOf(selector),
    source: textOf(event.source) ?? 'api',
  }
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = [...cleanText(String(value)).trim()].slice(0, PARAM_LIMIT).join('')
  return text === '' ? null : text
}

interface Receipt extends Said {
  verdict: Verdict
  code: string
  message: string | null
}

/** What to keep of an event of which only this remains; what was stored is its own receipt. */
export function receiptOf(said: Said, stored: StoredEvent): Receipt | undefined {
  if (!stored.duplicate && !stored.test) return undefined
  const verdict = stored.duplicate ? 'duplicate' : 'accepted'
  return { ...said, step: stored.step_name, verdict, code: codeOf(stored), message: null }
}

export const refusedReceipt = (said: Said, { code, message }: AppError): Receipt => ({
  ...said,
  ...{ verdict: 'rejected', code, message },
})

/** Takes the oldest away with those that come, so that no sender can fill the table. */
export async function keepReceipts(db: Db, issuerId: number, receipts: readonly Receipt[]): Promise<void> {
  if (!receipts.length) return
  const rows = receipts.slice(-RECEIVED_LIMIT).map((receipt) => ({
    ...{ issuer_id: issuerId, is_test: testProductOf(receipt.tracking_id ?? '') !== undefined },
    ...receipt,
  }))
  await db
    .with('added', (cte) => cte.insertInto('event_receipt').values(rows))
    .deleteFrom('event_receipt')
    .where('issuer_id', '=', issuerId)
    .where('id', '<=', (eb) =>
      // The rows of this statement are not seen by it.
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

function keepRefusal({ db, measures }: Books, issuerId: number, said: Said, refusal: AppError): Promise<void> {
  measures.event('rejected')
  return keepReceipts(db, issuerId, [refusedReceipt(said, refusal)])
}

/** What the sender must do about it stands in the answer; what it has to wait for says nothing about the event. */
const isVerdict = ({ status }: AppError): boolean => status < 500 && status !== 429

/** Keeps what the calls of this scope refuse to a known issuer, however early; `said` skips those that report nothing. */
export function keepRefusals(scope: App, books: Books, said: (request: FastifyRequest) => Said | undefined): void {
  scope.setErrorHandler(async (error, request, reply) => {
    const refusal = translate(error)
    const words = request.sender && isVerdict(refusal) ? said(request) : undefined
    if (request.sender && words)
      await keepRefusal(books, request.sender.issuerId, words, refusal).catch((err: unknown) =>
        // The sender is owed the answer to its event, not to our bookkeeping.
        request.log.error({ err }, 'refused event not kept'),
      )
    return answerError(error, request, reply)
  })
}

import { type BatchResult, IncomingEvent } from '#contract/tracking.ts'
import type { Db } from '#db/connect.ts'
import { AppError, schemaError } from '../errors.ts'
import type { Warning } from './event-data.ts'
import type { Outcome, Sender } from './events.ts'
import { codeOf, keepRefusal, readSaid, statusOf } from './receipts.ts'
import { receiveEvent } from './receive.ts'
import type { SpoolIndex } from './spooled-leads.ts'

/**
 * Each event by itself, in the order given. What is wrong with one is its own result; when the database goes away the
 * whole call is a 503, and sending it again repeats nothing.
 */
export async function storeBatch(
  db: Db,
  sender: Sender,
  events: unknown[],
  spool: SpoolIndex,
): Promise<{ results: BatchResult[]; warnings: Warning[] }> {
  const results: BatchResult[] = []
  const warnings = new Set<Warning>()
  for (const event of events) {
    const outcome = await storeOne(db, sender, event, spool)
    results.push(outcome.result)
    for (const warning of outcome.warnings) warnings.add(warning)
  }
  return { results, warnings: [...warnings] }
}

async function storeOne(
  db: Db,
  sender: Sender,
  event: unknown,
  spool: SpoolIndex,
): Promise<{ result: BatchResult; warnings: Warning[] }> {
  const answered = await answerOne(event, (parsed) => receiveEvent(db, sender, parsed, spool))
  if (answered.refusal) await keepRefusal(db, sender.issuerId, readSaid(event), answered.refusal)
  return answered
}

/** What the sender of an event learns of it, a refusal included; only what is worth sending again is thrown. */
export async function answerOne(
  event: unknown,
  take: (event: IncomingEvent) => Promise<Outcome>,
): Promise<{ result: BatchResult; warnings: Warning[]; refusal?: AppError }> {
  try {
    const parsed = IncomingEvent.safeParse(event)
    if (!parsed.success) throw schemaError(parsed.error, 422)
    const { stored, warnings } = await take(parsed.data)
    return { result: { status: statusOf(stored), code: codeOf(stored), message: null, data: stored }, warnings }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const result = { status: error.status, code: error.code, message: error.message, data: null }
    return { result, warnings: [], refusal: error }
  }
}

import { type BatchResult, IncomingEvent } from '#contract/tracking.ts'
import { AppError, schemaError } from '../errors.ts'
import type { Warning } from './event-data.ts'
import type { Outcome, Sender } from './events.ts'
import type { Intake } from './intake.ts'
import { codeOf, keepRefusal, readSaid, statusOf } from './receipts.ts'
import { receiveEvent } from './receive.ts'

/**
 * Each event by itself, in the order given. What is wrong with one is its own result; when the database goes away the
 * whole call is a 503, and sending it again repeats nothing.
 */
export async function storeBatch(
  intake: Intake,
  sender: Sender,
  events: unknown[],
): Promise<{ results: BatchResult[]; warnings: Warning[] }> {
  const results: BatchResult[] = []
  const warnings = new Set<Warning>()
  for (const event of events) {
    const outcome = await storeOne(intake, sender, event)
    results.push(outcome.result)
    for (const warning of outcome.warnings) warnings.add(warning)
  }
  return { results, warnings: [...warnings] }
}

async function storeOne(
  intake: Intake,
  sender: Sender,
  event: unknown,
): Promise<{ result: BatchResult; warnings: Warning[] }> {
  const answered = await answerOne(event, (parsed) => receiveEvent(intake, sender, parsed))
  if (answered.refusal) await keepRefusal(intake, sender.issuerId, readSaid(event), answered.refusal)
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

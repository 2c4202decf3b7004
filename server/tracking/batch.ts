import { type BatchResult, IncomingEvent } from '#contract/tracking.ts'
import type { Db } from '#db/connect.ts'
import { AppError, schemaError } from '../errors.ts'
import type { Warning } from './event-data.ts'
import { type Sender, storeEvent } from './events.ts'
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
  try {
    const parsed = IncomingEvent.safeParse(event)
    if (!parsed.success) throw schemaError(parsed.error, 422)
    const { stored, warnings } = await storeEvent(db, sender, parsed.data, spool)
    const [status, code] = stored.duplicate ? [200, 'DUPLICATE'] : [201, 'STORED']
    return { result: { status, code, message: null, data: stored }, warnings }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return { result: { status: error.status, code: error.code, message: error.message, data: null }, warnings: [] }
  }
}

import { testProductOf } from '#contract/integration.ts'
import type { IncomingEvent } from '#contract/tracking.ts'
import { translate } from '../errors.ts'
import { type Outcome, type Sender, storeEvent } from './events.ts'
import type { Intake } from './intake.ts'
import { codeOf, keepReceipt, readSaid } from './receipts.ts'
import { rehearseEvent } from './rehearsal.ts'

/** An event that came with a good key: stored, or tried where it names a test lead. */
export async function receiveEvent(
  { db, spool, measures }: Intake,
  sender: Sender,
  sent: IncomingEvent,
): Promise<Outcome> {
  const isTest = testProductOf(sent.tracking_id) !== undefined
  const outcome = await (isTest ? rehearseEvent : storeEvent)(db, sender, sent, spool).catch((error) => {
    // A refusal is counted where it is kept.
    if (translate(error).status >= 500) measures.event('failed')
    throw error
  })
  const { stored } = outcome
  measures.event(stored.duplicate ? 'duplicate' : stored.test ? 'test' : 'accepted')
  // What was stored is its own receipt.
  if (stored.duplicate || stored.test)
    await keepReceipt(
      db,
      sender.issuerId,
      { ...readSaid(sent), step: stored.step_name },
      { verdict: stored.duplicate ? 'duplicate' : 'accepted', code: codeOf(stored), message: null },
    )
  return outcome
}

import { testProductOf } from '#contract/integration.ts'
import type { IncomingEvent } from '#contract/tracking.ts'
import type { Db } from '#db/connect.ts'
import { type Outcome, type Sender, storeEvent } from './events.ts'
import { codeOf, keepReceipt, readSaid } from './receipts.ts'
import { rehearseEvent } from './rehearsal.ts'
import type { SpoolIndex } from './spooled-leads.ts'

/** An event that came with a good key: stored, or tried where it names a test lead. */
export async function receiveEvent(db: Db, sender: Sender, sent: IncomingEvent, spool: SpoolIndex): Promise<Outcome> {
  const isTest = testProductOf(sent.tracking_id) !== undefined
  const outcome = await (isTest ? rehearseEvent : storeEvent)(db, sender, sent, spool)
  const { stored } = outcome
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

import { testProductOf } from '#contract/integration.ts'
import type { IncomingEvent, StoredEvent } from '#contract/tracking.ts'
import type { Db } from '#db/connect.ts'
import { translate } from '../http/errors.ts'
import type { Measures } from '../monitoring/measures.ts'
import { type SpoolIndex, storeMindingSpool } from '../spool/spooled-leads.ts'
import { keepReceipts, readSaid, receiptOf } from './receipts.ts'
import { rehearseEvent } from './rehearsal.ts'
import { cleanEvent, type Outcome, type Sender } from './sent-events.ts'
import type { EventStore } from './store.ts'

/** What taking an event needs, whichever way it came. */
export interface Intake {
  db: Db
  events: EventStore
  spool: SpoolIndex
  measures: Measures
}

export const isTest = (event: IncomingEvent): boolean => testProductOf(event.tracking_id) !== undefined

export const kindOf = ({ duplicate, test }: StoredEvent) => (duplicate ? 'duplicate' : test ? 'test' : 'accepted')

/** An event that came with a good key: stored, or tried where it names a test lead. */
export async function receiveEvent(intake: Intake, sender: Sender, sent: IncomingEvent): Promise<Outcome> {
  const { db, spool, measures } = intake
  const outcome = await (isTest(sent) ? rehearseEvent(db, sender, sent, spool) : storeOne(intake, sender, sent)).catch(
    (error) => {
      // A refusal is counted where it is kept.
      if (translate(error).status >= 500) measures.event('failed')
      throw error
    },
  )
  measures.event(kindOf(outcome.stored))
  const receipt = receiptOf(readSaid(sent), outcome.stored)
  if (receipt) await keepReceipts(db, sender.issuerId, [receipt])
  return outcome
}

async function storeOne({ events, spool }: Intake, sender: Sender, sent: IncomingEvent): Promise<Outcome> {
  const { data: event, warnings } = cleanEvent(sent)
  const stored = await storeMindingSpool(spool, event.tracking_id, () => events.store(sender.issuerId, event))
  return { stored, warnings }
}

import { testProductOf } from '#contract/integration.ts'
import type { IncomingEvent, StoredEvent } from '#contract/tracking.ts'
import type { Db } from '#db/connect.ts'
import { deriveKey } from '../auth/tokens.ts'
import { translate } from '../http/errors.ts'
import type { Measures } from '../monitoring/measures.ts'
import { mindingSpool, type SpoolIndex } from '../spool/spooled-leads.ts'
import type { ReadEvent } from './read-event.ts'
import { keepReceipts, readSummary, receiptOf } from './receipts.ts'
import { rehearseEvent } from './rehearsal.ts'
import { cleanEvent, type Outcome, type Sender, withWarnings } from './sent-events.ts'
import type { EventStore } from './store.ts'

/** What receiving an event needs, from the API or a postback. */
export interface Intake {
  db: Db
  events: EventStore
  spool: SpoolIndex
  measures: Measures
  /** Of the digests that stand for masked ids. */
  digestKey: Uint8Array
}

export const digestKeyOf = (secret: string): Uint8Array => deriveKey(secret, 'masked-id')

export const isTest = (event: IncomingEvent): boolean => testProductOf(event.tracking_id) !== undefined

export const kindOf = ({ duplicate, test }: StoredEvent) => (duplicate ? 'duplicate' : test ? 'test' : 'accepted')

/** Stores an event of an authenticated sender; one of a test lead is only rehearsed. */
export async function receiveEvent(intake: Intake, sender: Sender, read: ReadEvent): Promise<Outcome> {
  const { db, measures } = intake
  const take = isTest(read.event) ? rehearseEvent : storeOne
  const outcome = await take(intake, sender, read).catch((error) => {
    // Refusals are counted where they are stored.
    if (translate(error).status >= 500) measures.event('failed')
    throw error
  })
  measures.event(kindOf(outcome.stored))
  const receipt = receiptOf(readSummary(read.event), outcome.stored)
  if (receipt) await keepReceipts(db, sender, [receipt])
  return outcome
}

async function storeOne({ events, spool, digestKey }: Intake, sender: Sender, read: ReadEvent): Promise<Outcome> {
  const { data: event, warnings } = cleanEvent(digestKey, sender, read.event)
  const outcome = await mindingSpool(spool, event.tracking_id, () => events.store(sender.issuerId, event))
  return withWarnings(outcome, [...read.warnings, ...warnings])
}

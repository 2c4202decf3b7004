import { hash } from 'node:crypto'
import { type EventRefusal, eventRefusals } from '#contract/event-refusals.ts'
import { isPlaceholder, readTrackingId, unwrap } from '#contract/outside-ids.ts'
import type { IncomingEvent, StoredEvent } from '#contract/tracking.ts'
import { AppError } from '../http/errors.ts'
import { maskPersonal, maskPrivate, type Warning } from '../privacy/mask.ts'
import { cleanEventData, maskId } from './data.ts'

/** The issuer that a key belongs to. */
export interface Sender {
  issuerId: number
  /** The network that it called from; null when a person tries an event. */
  from: string | null
  came: Came | null
}

/** How an event came, as it is kept with it; the network stands beside it. */
export interface Came {
  by: 'single' | 'batch' | 'postback' | 'panel'
  /** Enough of the key to tell it from others (prefixOf). */
  key?: string
  signed?: boolean
}

/** An event as it was read; `said_id` is its id as it was written, where that is not the id: it was kept so before. */
export type SentEvent = IncomingEvent & { said_id?: string }

/** `own_key` is of events that we make ourselves, whose senders have no id for them. */
export type CleanEvent = SentEvent & {
  source: string
  sent_from?: string | null
  came?: Came | null
  own_key?: string
}

/** The fields without which an event is one, too: what cannot be understood of them is left out (D87). */
export type IgnoredField = Exclude<keyof IncomingEvent, 'tracking_id'>

/**
 * What is told to the sender beside the event: what was left out or masked, that its step pays but nothing was earned,
 * that its reason is not in the list, and that its lead was approved or rejected before (D88).
 */
export type EventWarning =
  | Warning
  | `${Uppercase<IgnoredField | 'amount'>}_IGNORED`
  | 'OCCURRED_AT_WITHOUT_ZONE'
  | 'NO_COMMISSION'
  | 'UNKNOWN_REASON'
  | 'SECOND_APPROVAL'
  | 'REJECTED_BEFORE'

export interface Outcome {
  stored: StoredEvent
  warnings: EventWarning[]
}

/** With the warnings about what was sent before those about what became of it. */
export const withWarnings = ({ stored, warnings }: Outcome, earlier: readonly EventWarning[]): Outcome => ({
  stored,
  warnings: [...earlier, ...warnings],
})

const SOURCE_LIMIT = 50

/** As we store it, masked in every text; `digestKey` tells masked ids apart. */
export function cleanEvent(
  digestKey: Uint8Array,
  { from, came }: Sender,
  sent: SentEvent,
): { data: CleanEvent; warnings: Warning[] } {
  const tracking_id = readTrackingId(sent.tracking_id)
  if (!tracking_id) throw isPlaceholder(unwrap(sent.tracking_id)) ? unfilledLead() : unknownLead()
  const { data: event_data, warnings } = cleanEventData(sent.event_data)
  const all = new Set(warnings)
  const onMask = (warning: Warning) => all.add(warning)
  const { event_id, said_id, transaction_id, event_type, reason_code, source = 'api' } = sent
  const data = {
    ...sent,
    ...(event_id !== undefined && { event_id: maskId(digestKey, event_id, onMask) }),
    ...(said_id !== undefined && { said_id: maskId(digestKey, said_id, onMask) }),
    ...(transaction_id !== undefined && { transaction_id: maskId(digestKey, transaction_id, onMask) }),
    ...(event_type !== undefined && { event_type: maskPersonal(event_type, onMask) }),
    ...(reason_code !== undefined && { reason_code: maskPrivate(reason_code, onMask) }),
    source: [...maskPersonal(source, onMask)].slice(0, SOURCE_LIMIT).join(''),
    event_data,
    tracking_id,
    sent_from: from,
    came,
  }
  return { data, warnings: [...all] }
}

export function refuse(code: EventRefusal, more = ''): AppError {
  const { status, text } = eventRefusals[code]
  return new AppError(status, code, text + more)
}

/** The same for unknown, forged and other issuers' ids. */
export const unknownLead = () => refuse('UNKNOWN_TRACKING_ID')

const unfilledLead = () => refuse('UNKNOWN_TRACKING_ID', ': llegó sin reemplazar por el del lead')

export const mismatch = () => refuse('IDEMPOTENCY_MISMATCH')

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')

/**
 * A hash of the content, in any order of keys. Its moment is left out, since senders put the time of the attempt there,
 * and so is how it came and from where.
 */
export function fingerprintOf({
  occurred_at: _,
  said_id: _said,
  sent_from: _from,
  came: _came,
  ...event
}: CleanEvent): Buffer {
  return sha256(JSON.stringify(event, (_key, value) => (isObject(value) ? sortedByKey(value) : value)))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const sortedByKey = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))

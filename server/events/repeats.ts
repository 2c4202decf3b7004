import { hash } from 'node:crypto'
import type { AppError } from '../http/errors.ts'
import { type CleanEvent, mismatch } from './sent-events.ts'

/** What is known of a stored event that another one may repeat. */
interface Told {
  lead_id: number
  step_id: number
  idempotency_key: string
  fingerprint: string
}

interface Telling {
  event: CleanEvent
  lead: { id: number }
  /** The steps at which an earlier event is the same one. */
  same: ReadonlySet<number>
  keys: readonly string[]
  fingerprint: string
}

/** What an id of the sender's is kept under by the first event that has it: so it belongs to one lead for ever. */
const claimOf = (id: string): string => `i:${id}`

/** The key of an event beside the first of its id, and of one without an id: lead, step and id. */
function stepKeyOf({ tracking_id, event_id, transaction_id = '' }: CleanEvent, stepId: number): string {
  return `h:${hash('sha256', `${tracking_id}\n${stepId}\n${event_id ?? transaction_id}`, 'hex')}`
}

/** The key that may be another lead's; undefined for an event without an id. */
export const ownKeyOf = ({ own_key, event_id }: CleanEvent): string | undefined =>
  own_key ?? (event_id === undefined ? undefined : claimOf(event_id))

/** Keys that do not depend on the step. Other doors know a transaction as the event's id. */
export function claimsOf(event: CleanEvent): string[] {
  const { transaction_id, said_id } = event
  const own = ownKeyOf(event) ?? (transaction_id === undefined ? undefined : claimOf(transaction_id))
  return [...(own === undefined ? [] : [own]), ...(said_id === undefined ? [] : [claimOf(said_id)])]
}

/** The keys of earlier events that this one may repeat. */
export const keysOf = (event: CleanEvent, same: ReadonlySet<number>): string[] => [
  ...claimsOf(event),
  ...(event.own_key === undefined ? [...same].map((stepId) => stepKeyOf(event, stepId)) : []),
]

/** The key to store an event under; `known` has the events under its keys. */
export function keyOf(event: CleanEvent, stepId: number, known: ReadonlyMap<string, unknown>): string {
  const own = ownKeyOf(event)
  const isClaimed = event.own_key === undefined && own !== undefined && known.has(own)
  return own === undefined || isClaimed ? stepKeyOf(event, stepId) : own
}

/**
 * The earlier event that this one repeats, judged by lead, step and id alone (D86); a refusal where its id is another
 * lead's. Also one with the same content under its id, whose step has become another's since.
 */
export function repeatOf<T extends Told>(
  { event, lead, same, keys, fingerprint }: Telling,
  known: ReadonlyMap<string, T>,
): T | AppError | undefined {
  const told = keys.flatMap((key) => known.get(key) ?? [])
  const own = ownKeyOf(event)
  const repeated = told.find(
    (other) =>
      other.lead_id === lead.id &&
      (same.has(other.step_id) || (other.idempotency_key === own && other.fingerprint === fingerprint)),
  )
  if (repeated) return repeated
  const holder = own === undefined ? undefined : known.get(own)
  return holder && (event.own_key !== undefined || holder.lead_id !== lead.id) ? mismatch() : undefined
}

import { hash } from 'node:crypto'
import { canonicalTrackingId, type IncomingEvent, type StoredEvent } from '#contract/tracking.ts'
import { AppError } from '../http/errors.ts'
import { cleanEventData, type Warning } from './data.ts'

/** The issuer that a key belongs to. */
export interface Sender {
  issuerId: number
}

export type CleanEvent = IncomingEvent & { source: string }

export interface Outcome {
  stored: StoredEvent
  warnings: Warning[]
}

export function cleanEvent(event: IncomingEvent): { data: CleanEvent; warnings: Warning[] } {
  const { data: event_data, warnings } = cleanEventData(event.event_data)
  const tracking_id = canonicalTrackingId(event.tracking_id)
  if (!tracking_id) throw unknownLead()
  return { data: { ...event, event_data, tracking_id, source: event.source ?? 'api' }, warnings }
}

/** The same for unknown, forged and other issuers' ids. */
export const unknownLead = () => new AppError(404, 'UNKNOWN_TRACKING_ID', 'tracking_id desconocido')

export const mismatch = () =>
  new AppError(422, 'IDEMPOTENCY_MISMATCH', 'Ya se recibió otro evento con el mismo identificador y otro contenido')

/** The sender's own id, else a hash of lead, step and transaction; a prefix separates the two. */
export const keyOf = (event: CleanEvent, stepId: number): string =>
  event.event_id !== undefined
    ? `i:${event.event_id}`
    : `h:${sha256(`${event.tracking_id}\n${stepId}\n${event.transaction_id ?? ''}`).toString('hex')}`

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')

/** A hash of the content, in any order of keys. Its moment is left out: senders put the time of the attempt there. */
export function fingerprintOf({ occurred_at: _, ...event }: CleanEvent): Buffer {
  return sha256(JSON.stringify(event, (_key, value) => (isObject(value) ? sortedByKey(value) : value)))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const sortedByKey = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))

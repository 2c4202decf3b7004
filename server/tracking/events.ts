import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { REJECTED } from '#contract/event-steps.ts'
import { canonicalTrackingId, type IncomingEvent, type StoredEvent } from '#contract/tracking.ts'
import type { Db, Tx } from '#db/connect.ts'
import { type Actor, audit } from '../audit.ts'
import { accrue, reverse } from '../commissions/entries.ts'
import { AppError } from '../errors.ts'
import { cleanEventData, type Warning } from './event-data.ts'
import { chooseStep, type Step, stepsMatching } from './event-steps.ts'
import { type SpoolIndex, storeSpooled } from './spooled-leads.ts'

/** Whose system speaks, by its key. */
export interface Sender {
  issuerId: number
  requestId: string
  address: string
}

export interface Outcome {
  stored: StoredEvent
  warnings: Warning[]
}

const DAY = 86_400_000

/**
 * Stores an event with what it earns or takes back, in one transaction. The lead's row is locked first, so the events
 * of a lead happen one after another and their outcome does not depend on which came first.
 */
export async function storeEvent(db: Db, sender: Sender, sent: IncomingEvent, spool?: SpoolIndex): Promise<Outcome> {
  const { data: event, warnings } = cleanEvent(sent)
  const store = () => db.transaction().execute((tx) => storeIn(tx, sender, event))
  const outcome = spool?.has(event.tracking_id) ? await storeSpooled(spool, event.tracking_id, store) : await store()
  // Thrown only now: the transaction keeps what was rejected.
  if (outcome instanceof AppError) throw outcome
  return { stored: outcome, warnings }
}

export type CleanEvent = IncomingEvent & { source: string }

export function cleanEvent(event: IncomingEvent): { data: CleanEvent; warnings: Warning[] } {
  const { data: event_data, warnings } = cleanEventData(event.event_data)
  const tracking_id = canonicalTrackingId(event.tracking_id)
  if (!tracking_id) throw unknownLead()
  return { data: { ...event, event_data, tracking_id, source: event.source ?? 'api' }, warnings }
}

/** The same for what never existed, what was forged and what is another issuer's. */
export const unknownLead = () => new AppError(404, 'UNKNOWN_TRACKING_ID', 'tracking_id desconocido')

export async function storeIn(tx: Tx, sender: Sender, event: CleanEvent): Promise<StoredEvent | AppError> {
  await announceWriter(tx, sender.issuerId)
  const lead = await lockLead(tx, sender.issuerId, event.tracking_id)
  const matching = stepsMatching(await listSteps(tx, lead.product_id), event)
  const fingerprint = fingerprintOf(event)
  const earlier = await listEarlier(
    tx,
    sender.issuerId,
    matching.map((step) => keyOf(event, step.id)),
    event,
  )
  const same = earlier.find((other) => other.fingerprint.equals(fingerprint))
  if (same) return readStored(tx, same.id, true)
  if (event.event_id !== undefined && earlier.length) return mismatch()
  const step = chooseStep(matching)
  if (step instanceof AppError) return keepRejected(tx, sender, event, step)
  const key = keyOf(event, step.id)
  const id = await insertEvent(tx, lead, event, step, key, fingerprint)
  if (id === undefined) return mismatch()
  await settle(tx, sender, lead, event, step, id)
  return readStored(tx, id, false)
}

const mismatch = () =>
  new AppError(422, 'IDEMPOTENCY_MISMATCH', 'Ya se recibió otro evento con el mismo identificador y otro contenido')

/** Taken before any row, so that a reader who waits for it never waits for somebody who waits for the reader. */
export const announceWriter = (tx: Tx, issuerId: number) =>
  sql`select pg_advisory_xact_lock_shared(${writersOf(issuerId)})`.execute(tx)

/** Returns when every event of the issuer that has an id is either stored or gone. */
export const waitForWriters = (tx: Tx, issuerId: number) =>
  sql`select pg_advisory_xact_lock(${writersOf(issuerId)})`.execute(tx)

const writersOf = (issuerId: number) => sql`hashtextextended(${`lead_event ${issuerId}`}, 0)`

async function lockLead(tx: Tx, issuerId: number, trackingId: string) {
  const lead = await tx
    .selectFrom('lead')
    .innerJoin('issuer', 'issuer.id', 'lead.issuer_id')
    .select(['lead.id', 'relationship_id', 'affiliate_id', 'issuer_id', 'product_id', 'issuer.company_name'])
    .where('tracking_id', '=', trackingId)
    .where('issuer_id', '=', issuerId)
    .forNoKeyUpdate('lead')
    .executeTakeFirst()
  if (!lead) throw unknownLead()
  return lead
}

type Lead = Awaited<ReturnType<typeof lockLead>>

const listSteps = (tx: Tx, productId: number): Promise<Step[]> =>
  tx
    .selectFrom('event_step')
    .innerJoin('event_type', 'event_type.id', 'event_step.event_type_id')
    .select((eb) => [
      'event_step.id',
      'event_step.name',
      'event_step.step_order',
      'event_step.event_type_id',
      'event_type.name as event_type_name',
      'event_step.is_payout_event',
      eb('event_step.archived_at', 'is', null).$castTo<boolean>().as('live'),
    ])
    .where('product_id', '=', productId)
    .execute()

/** The sender's own id, else what happened; the first letter keeps one from looking like the other. */
const keyOf = (event: CleanEvent, stepId: number): string =>
  event.event_id !== undefined
    ? `i:${event.event_id}`
    : `h:${sha256(`${event.tracking_id}\n${stepId}\n${event.transaction_id ?? ''}`).toString('hex')}`

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** What the event says, however it was written. Its moment is left out: senders put the time of the attempt there. */
export function fingerprintOf({ occurred_at: _, ...event }: CleanEvent): Buffer {
  return sha256(JSON.stringify(event, (_key, value) => (isObject(value) ? sortedByKey(value) : value)))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const sortedByKey = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))

async function listEarlier(tx: Tx, issuerId: number, stepKeys: string[], event: CleanEvent) {
  const keys = event.event_id === undefined ? stepKeys : [`i:${event.event_id}`]
  if (!keys.length) return []
  return tx
    .selectFrom('lead_event')
    .select(['id', 'fingerprint'])
    .where('issuer_id', '=', issuerId)
    .where('idempotency_key', 'in', keys)
    .execute()
}

/** Undefined when the key is taken: by another content, since the lock has shown every repetition before. */
async function insertEvent(tx: Tx, lead: Lead, event: CleanEvent, step: Step, key: string, fingerprint: Buffer) {
  const skewed = event.occurred_at !== undefined && Date.parse(event.occurred_at) > Date.now() + DAY
  const row = await tx
    .insertInto('lead_event')
    .values({
      lead_id: lead.id,
      issuer_id: lead.issuer_id,
      step_id: step.id,
      step_name: step.name,
      event_type_id: step.event_type_id,
      event_type_name: step.event_type_name,
      source: event.source,
      event_data: storedData(event, skewed),
      event_id: event.event_id ?? null,
      occurred_at: event.occurred_at === undefined ? null : new Date(event.occurred_at),
      clock_skew: skewed,
      idempotency_key: key,
      fingerprint,
    })
    .onConflict((conflict) => conflict.columns(['issuer_id', 'idempotency_key']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** As JSON text: an object stays one, and shows the sender's moment, which the timeline has no column for (D58). */
function storedData({ event_data, occurred_at }: CleanEvent, skewed: boolean): string | null {
  const moment = { ...(occurred_at !== undefined && { occurred_at }), ...(skewed && { clock_skew: true }) }
  if (event_data === undefined) return Object.keys(moment).length ? JSON.stringify(moment) : null
  return JSON.stringify(typeof event_data === 'string' ? event_data : { ...moment, ...event_data })
}

async function settle(tx: Tx, sender: Sender, lead: Lead, event: CleanEvent, step: Step, id: number): Promise<void> {
  const { issuerId, requestId, address } = sender
  const actor: Actor = { role: 'issuer-key', issuerId, name: lead.company_name, requestId, address }
  const after = {
    lead_id: lead.id,
    step_id: step.id,
    step_name: step.name,
    event_id: event.event_id,
    source: event.source,
  }
  await audit(tx, actor, { action: 'create', entity: 'lead_event', entityId: id, label: step.name, after })
  const earning = { id, step_id: step.id, step_name: step.name }
  // A rejection takes back and never earns, whatever its step says.
  if (step.event_type_name === REJECTED) await reverse(tx, actor, lead, earning)
  else if (step.is_payout_event) await accrue(tx, actor, lead, earning)
}

/** Kept 90 days (api.md 3); each one takes some of the oldest away, so that none of them has much to do. */
async function keepRejected(tx: Tx, sender: Sender, event: CleanEvent, error: AppError): Promise<AppError> {
  await tx
    .deleteFrom('rejected_postback')
    .where('id', 'in', (eb) =>
      eb.selectFrom('rejected_postback').select('id').where('issuer_id', '=', sender.issuerId).orderBy('id').limit(100),
    )
    .where('created_at', '<', sql<string>`now() - interval '90 days'`)
    .execute()
  await tx
    .insertInto('rejected_postback')
    .values({
      issuer_id: sender.issuerId,
      code: error.code,
      message: error.message,
      tracking_id: event.tracking_id,
      source: event.source,
      body: JSON.stringify(event),
    })
    .execute()
  return error
}

async function readStored(tx: Tx, id: number, duplicate: boolean): Promise<StoredEvent> {
  const row = await tx
    .selectFrom('lead_event')
    .innerJoin('lead', 'lead.id', 'lead_event.lead_id')
    // The lead says nothing new, but entries have an index by it.
    .leftJoin('commission_entry', (join) =>
      join
        .onRef('commission_entry.lead_id', '=', 'lead_event.lead_id')
        .onRef('commission_entry.lead_event_id', '=', 'lead_event.id')
        .on('commission_entry.reversal_of', 'is', null),
    )
    .select([
      'lead_event.id',
      'lead_event.event_id',
      'lead_event.lead_id',
      'lead.tracking_id',
      'lead_event.step_id',
      'lead_event.step_name',
      'commission_entry.amount',
      'commission_entry.state',
    ])
    .where('lead_event.id', '=', id)
    .executeTakeFirstOrThrow()
  const { amount, state, ...event } = row
  const commission = amount !== null && state !== null ? { amount, currency: 'MXN' as const, status: state } : null
  return { ...event, duplicate, commission }
}

import { type RawBuilder, sql } from 'kysely'
import type { StoredEvent } from '#contract/tracking.ts'
import type { Tx } from '#db/connect.ts'
import type { AppError } from '../http/errors.ts'
import type { Step } from './choose-step.ts'
import type { CleanEvent } from './sent-events.ts'

const DAY = 86_400_000

const anyOf = (ids: readonly number[]): RawBuilder<number> => sql`any(${ids}::bigint[])`

/** Locked in one order, so that two sets of events never wait in a ring. */
export const lockLeads = (tx: Tx, issuerId: number, trackingIds: readonly string[]) =>
  tx
    .selectFrom('lead')
    .innerJoin('issuer', 'issuer.id', 'lead.issuer_id')
    .select(['lead.id', 'tracking_id', 'relationship_id', 'affiliate_id', 'issuer_id', 'product_id'])
    .select('issuer.company_name')
    .where('tracking_id', '=', sql<string>`any(${trackingIds}::uuid[])`)
    .where('issuer_id', '=', issuerId)
    .orderBy('lead.id')
    .forNoKeyUpdate('lead')
    .execute()

export type Lead = Awaited<ReturnType<typeof lockLeads>>[number]

export const listSteps = (tx: Tx, productIds: readonly number[]): Promise<(Step & { product_id: number })[]> =>
  tx
    .selectFrom('event_step')
    .innerJoin('event_type', 'event_type.id', 'event_step.event_type_id')
    .select((eb) => [
      'event_step.id',
      'event_step.product_id',
      'event_step.name',
      'event_step.step_order',
      'event_step.event_type_id',
      'event_type.name as event_type_name',
      'event_step.is_payout_event',
      eb('event_step.archived_at', 'is', null).$castTo<boolean>().as('live'),
    ])
    .where('product_id', '=', anyOf(productIds))
    .execute()

export const listEarlier = (tx: Tx, issuerId: number, keys: readonly string[]) =>
  tx
    .selectFrom('lead_event')
    .select(['id', 'idempotency_key', 'fingerprint'])
    .where('issuer_id', '=', issuerId)
    .where('idempotency_key', '=', sql<string>`any(${keys}::text[])`)
    .execute()

export interface NewEvent {
  lead: Lead
  event: CleanEvent
  step: Step
  key: string
  fingerprint: Buffer
}

/** By their keys, all of them different. One that is missing is taken: by another content, or repetition would show. */
export async function insertEvents(tx: Tx, events: readonly NewEvent[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; idempotency_key: string }>`
    insert into lead_event (lead_id, issuer_id, step_id, step_name, event_type_id, event_type_name, source, event_data,
      event_id, occurred_at, clock_skew, idempotency_key, fingerprint)
    select lead_id, issuer_id, step_id, step_name, event_type_id, event_type_name, source, event_data,
      event_id, occurred_at, clock_skew, idempotency_key, decode(fingerprint, 'hex')
    from json_to_recordset(${JSON.stringify(events.map(rowOf))}::json) as sent (
      place int, lead_id bigint, issuer_id bigint, step_id bigint, step_name text, event_type_id bigint,
      event_type_name text, source text, event_data jsonb, event_id text, occurred_at timestamptz, clock_skew boolean,
      idempotency_key text, fingerprint text)
    order by place
    on conflict (issuer_id, idempotency_key) do nothing
    returning id, idempotency_key`.execute(tx)
  return new Map(rows.map(({ id, idempotency_key }) => [idempotency_key, id]))
}

function rowOf({ lead, event, step, key, fingerprint }: NewEvent, place: number) {
  const skewed = event.occurred_at !== undefined && Date.parse(event.occurred_at) > Date.now() + DAY
  return {
    place,
    lead_id: lead.id,
    issuer_id: lead.issuer_id,
    step_id: step.id,
    step_name: step.name,
    event_type_id: step.event_type_id,
    event_type_name: step.event_type_name,
    source: event.source,
    event_data: storedData(event, skewed),
    event_id: event.event_id,
    occurred_at: event.occurred_at === undefined ? undefined : new Date(event.occurred_at),
    clock_skew: skewed,
    idempotency_key: key,
    fingerprint: fingerprint.toString('hex'),
  }
}

/** An object stays one, and shows the sender's moment, which the timeline has no column for (D58). */
function storedData({ event_data, occurred_at }: CleanEvent, skewed: boolean): unknown {
  const moment = { ...(occurred_at !== undefined && { occurred_at }), ...(skewed && { clock_skew: true }) }
  if (event_data === undefined) return Object.keys(moment).length ? moment : undefined
  return typeof event_data === 'string' ? event_data : { ...moment, ...event_data }
}

/** Kept 90 days (api.md 3); each one takes some of the oldest away, so that none of them has much to do. */
export async function keepRejected(tx: Tx, issuerId: number, rejected: [CleanEvent, AppError][]): Promise<void> {
  const oldest = 100 + rejected.length
  await tx
    .deleteFrom('rejected_postback')
    .where('id', 'in', (eb) =>
      eb.selectFrom('rejected_postback').select('id').where('issuer_id', '=', issuerId).orderBy('id').limit(oldest),
    )
    .where('created_at', '<', sql<string>`now() - interval '90 days'`)
    .execute()
  const rows = rejected.map(([body, { code, message }]) => ({ code, message, body }))
  await sql`
    insert into rejected_postback (issuer_id, code, message, tracking_id, source, body)
    select ${issuerId}, code, message, body ->> 'tracking_id', body ->> 'source', body
    from json_to_recordset(${JSON.stringify(rows)}::json) as rejected (code text, message text, body jsonb)`.execute(tx)
}

/** What was answered when these were stored, but for the state that their commissions are in by now. */
export async function readRepeated(tx: Tx, ids: readonly number[]): Promise<Map<number, StoredEvent>> {
  const rows = await tx
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
    .where('lead_event.id', '=', anyOf(ids))
    .execute()
  return new Map(
    rows.map(({ amount, state, ...event }) => {
      const commission = amount !== null && state !== null ? { amount, currency: 'MXN' as const, status: state } : null
      return [event.id, { ...event, duplicate: true, commission }]
    }),
  )
}

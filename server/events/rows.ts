import { type RawBuilder, sql } from 'kysely'
import { REJECTED } from '#contract/event-steps.ts'
import type { Db } from '#db/connect.ts'
import type { AppError } from '../http/errors.ts'
import { claimsOf } from './repeats.ts'
import { type CleanEvent, fingerprintOf } from './sent-events.ts'

const DAY_MS = 86_400_000

export interface Lead {
  id: number
  tracking_id: string
  relationship_id: number
  affiliate_id: number
  product_id: number
  clicked_at: string
}

export interface Step {
  id: number
  product_id: number
  name: string
  step_order: number
  event_type_id: number
  event_type_name: string
  is_payout_event: boolean
  live: boolean
}

/** A stored event with the commission that it earned, and the present state of that. */
export interface Earlier {
  id: number
  event_id: string | null
  lead_id: number
  tracking_id: string
  step_id: number
  step_name: string
  amount: string | null
  state: string | null
  idempotency_key: string
  /** In hexadecimal digits. */
  fingerprint: string
}

/** Amounts and bytes as text, since JSON aggregates have neither. */
const earlierUnder = (issuerId: number, keys: RawBuilder<unknown>) => sql<Earlier>`
  select event.id, event_id, event.lead_id, event.tracking_id, event.step_id, step_name, amount::text as amount, state,
    idempotency_key, encode(fingerprint, 'hex') as fingerprint
  from events_under(${issuerId}, ${keys}) as event
  -- The lead is redundant, but entries have an index on it.
  left join commission_entry as entry
    on entry.lead_id = event.lead_id and entry.lead_event_id = event.id and reversal_of is null`

export const listEarlier = async (db: Db, issuerId: number, keys: readonly string[]): Promise<Earlier[]> =>
  keys.length ? (await earlierUnder(issuerId, sql`${keys}::text[]`).execute(db)).rows : []

/** Which of them have earned already: leads, each with a step. */
export async function listEarned(db: Db, asked: readonly { lead: Lead; step: Step }[]): Promise<Set<number>> {
  if (!asked.length) return new Set()
  const [leads, steps] = [asked.map(({ lead }) => lead.id), asked.map(({ step }) => step.id)]
  const { rows } = await sql<{ place: number }>`
    select place - 1 as place
    from unnest(${leads}::bigint[], ${steps}::bigint[]) with ordinality as asked (lead_id, step_id, place)
    cross join lateral earned_by(asked.lead_id, asked.step_id)`.execute(db)
  return new Set(rows.map(({ place }) => place))
}

/** The codes of the list of reasons, also of those that nobody may choose any more, that the texts are. */
export async function listReasonCodes(db: Db, texts: readonly string[]): Promise<Set<string>> {
  if (!texts.length) return new Set()
  const rows = await db.selectFrom('reject_reason').select('code').where('code', 'in', texts).execute()
  return new Set(rows.map(({ code }) => code))
}

interface Known {
  leads: Lead[]
  /** Of the leads' products; archived ones too, which repetitions may name. */
  steps: Step[]
  earlier: Earlier[]
}

/**
 * Everything that events are judged by, in one round trip; only leads of this issuer. Earlier events by the keys of
 * repeats.ts, also those that the steps make, which only the database knows yet.
 */
export async function readKnown(db: Db, issuerId: number, events: readonly CleanEvent[]) {
  const trackingIds = events.map(({ tracking_id }) => tracking_id)
  const ids = events.map(({ event_id, transaction_id = '' }) => event_id ?? transaction_id)
  const { rows } = await sql<Known>`
    with mine as materialized (
      select id, tracking_id, relationship_id, affiliate_id, product_id, created_at as clicked_at
      from lead where tracking_id = any(${[...new Set(trackingIds)]}::uuid[]) and issuer_id = ${issuerId}
    ), step as (
      select event_step.id, product_id, event_step.name, step_order, event_type_id, event_type.name as event_type_name,
        is_payout_event, archived_at is null as live
      from event_step join event_type on event_type.id = event_type_id
      where product_id in (select product_id from mine)
    ), told as (
      select unnest(${events.flatMap(claimsOf)}::text[]) as key
      union all
      select 'h:' || encode(sha256(convert_to(concat_ws(E'\n', tracking_id, step.id, said.id), 'UTF8')), 'hex')
      from unnest(${trackingIds}::uuid[], ${ids}::text[]) as said (tracking_id, id)
      join mine using (tracking_id) join step using (product_id)
    ), earlier as (${earlierUnder(issuerId, sql`array(select key from told)`)})
    select
      (select coalesce(json_agg(mine), '[]') from mine) as leads,
      (select coalesce(json_agg(step), '[]') from step) as steps,
      (select coalesce(json_agg(earlier), '[]') from earlier) as earlier`.execute(db)
  return rows[0] as Known
}

interface NewEvent {
  lead: Lead
  event: CleanEvent
  step: Step
  key: string
  fingerprint: string
  reason: Reason
}

/** Why a lead was rejected: a code of the list; and the text that was sent, where the list does not have it. */
export interface Reason {
  code: string | null
  text: string | null
}

/** A rejection reverses and never earns, whatever its step says. */
export const isEarning = (step: Step): boolean => step.is_payout_event && step.event_type_name !== REJECTED

/** An event as store_events() takes it. */
export type NewRow = ReturnType<typeof rowOf>

export function rowOf({ lead, event, step, key, fingerprint, reason }: NewEvent) {
  const skewed = event.occurred_at !== undefined && Date.parse(event.occurred_at) > Date.now() + DAY_MS
  const { id: lead_id, ...parties } = lead
  return {
    lead_id,
    ...parties,
    step_id: step.id,
    step_name: step.name,
    event_type_id: step.event_type_id,
    event_type_name: step.event_type_name,
    earns: isEarning(step),
    source: event.source,
    event_data: storedData(event, skewed, reason.text),
    event_id: event.event_id ?? null,
    occurred_at: event.occurred_at === undefined ? undefined : new Date(event.occurred_at),
    clock_skew: skewed,
    idempotency_key: key,
    fingerprint,
    sent_from: event.sent_from,
    receipt: event.came ?? undefined, // how it came; the rows of event_receipt say what became of a call
    reason_code: reason.code,
  }
}

/**
 * Adds to an object the sender's moment, since the timeline has no column for it (D58), and the reason in its own words,
 * which is shown and erased with the rest. A reason is kept beside a text, too.
 */
function storedData({ event_data, occurred_at }: CleanEvent, skewed: boolean, reason: string | null): unknown {
  const added = {
    ...(occurred_at !== undefined && { occurred_at }),
    ...(skewed && { clock_skew: true }),
    ...(reason !== null && { reason_code: reason }),
  }
  if (event_data === undefined) return Object.keys(added).length ? added : undefined
  if (typeof event_data === 'string') return reason === null ? event_data : { ...added, note: event_data }
  return { ...added, ...event_data }
}

type Stored = Pick<Earlier, 'id' | 'amount' | 'state'>

/** All or none; no two share a lead or a key. Undefined in the place of one whose key is taken. */
export async function insertEvents(db: Db, issuerId: number, events: readonly NewRow[]) {
  const sent = JSON.stringify(events.map((row, place) => ({ place, ...row })))
  const { rows } = await sql<Stored & { place: number }>`
    select place, id, amount, state from store_events(${issuerId}, ${sent}::jsonb)`.execute(db)
  const byPlace = new Map(rows.map(({ place, ...stored }) => [place, stored]))
  return events.map((_, place) => byPlace.get(place))
}

/**
 * Until retention deletes it (api.md 3). What is sent again replaces itself, with a new id and moment: a feed of every day
 * is kept once, and so is what a call says twice, or two calls at once.
 */
export async function keepRejected(db: Db, issuerId: number, rejected: readonly [CleanEvent, AppError][]) {
  const rows = new Map(
    rejected.map(([body, { code, message }]) => {
      const hex = fingerprintOf(body).toString('hex')
      return [hex, { code, message, body, hex }]
    }),
  )
  // Counted, so that the earlier ones are gone before the new ones come.
  await sql`
    with earlier as (
      delete from rejected_postback where issuer_id = ${issuerId}
        and fingerprint = any(array(select decode(hex, 'hex') from unnest(${[...rows.keys()]}::text[]) as hex)) returning id
    )
    insert into rejected_postback (issuer_id, code, message, tracking_id, source, body, fingerprint)
    select ${issuerId}, code, message, body ->> 'tracking_id', body ->> 'source', body, decode(hex, 'hex')
    from (select count(*) from earlier) as gone
    cross join json_to_recordset(${JSON.stringify([...rows.values()])}::json) as rejected (code text, message text, body jsonb, hex text)
    order by hex -- two calls at once wait for each other in one order
    on conflict (issuer_id, fingerprint) do nothing`.execute(db)
  return rejected.map(([, refusal]) => refusal)
}

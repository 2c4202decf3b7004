import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import type { Json } from '#db/tables.ts'

/** What a delivery tells, in the state of now: of a lead, then of what happened to it or to a payment. */
export interface Facts {
  tracking_id: string | null
  external_id: string | null
  relationship_id: number | null
  product_id: number | null
  affiliate_id: number | null
  issuer_id: number | null
  utm_source: string | null
  utm_medium: string | null
  utm_campaign: string | null
  utm_term: string | null
  utm_content: string | null
  params: Record<string, Json> | null
  type: string
  at: string
  step_id: number | null
  step_name: string | null
  event_type: string | null
  /** The label; of a financial one the name of its group, which is all that an affiliate may read. */
  reason: string | null
  reason_group: string | null
  amount: string | null
  entry_state: string | null
  payment_id: number | null
  payment_amount: string | null
  payment_status: string | null
}

/** How a receiver wants to be called. */
export interface Wishes {
  reader: 'admin' | 'issuer' | 'affiliate'
  url: string
  method: 'GET' | 'POST'
  status_map: Record<string, string>
}

export interface Job extends Facts, Wishes {
  id: string
  seq: number
  is_test: boolean
  attempts: number
  attempts_before: number
  /** False once what happened is not kept any more. */
  is_known: boolean
  skip_without_external_id: boolean
  receiver_id: number
  /** Of the receiver, in a row, when this was claimed. */
  failures: number
  receiver_affiliate: number | null
  receiver_issuer: number | null
  secret: Buffer
  secret_before: Buffer | null
}

const leadColumns = sql`
  lead.tracking_id, lead.external_id, lead.relationship_id, lead.utm_source, lead.utm_medium, lead.utm_campaign,
  lead.utm_term, lead.utm_content, lead.lead_data -> 'params' as params`

export async function readJobs(db: Db | Tx, ids: readonly string[]): Promise<Job[]> {
  const { rows } = await sql<Job>`
    select delivery.id, delivery.seq, delivery.type, is_test, attempts, attempts_before,
      is_test or occurrence.id is not null as is_known, coalesce(occurrence.created_at, delivery.created_at) as at,
      delivery.receiver_id, failures, url, method, status_map, skip_without_external_id, secret,
      case when before_until > now() then secret_before end as secret_before,
      receiver.affiliate_id as receiver_affiliate, receiver.issuer_id as receiver_issuer,
      case when receiver.affiliate_id is not null then 'affiliate' when receiver.issuer_id is not null then 'issuer'
        else 'admin' end as reader,
      occurrence.product_id, occurrence.affiliate_id, occurrence.issuer_id, ${leadColumns},
      event.step_id, event.step_name, event.event_type_name as event_type,
      reject_reason.label as reason, public_label(reject_reason) as reason_group,
      entry.amount, entry.state as entry_state,
      payment.id as payment_id, payment.total_amount as payment_amount, payment_status
    from unnest(${ids}::uuid[]) as asked (id) join delivery using (id)
    join receiver on receiver.id = delivery.receiver_id
    left join occurrence on occurrence.id = occurrence_id
    left join lead on lead.tracking_id = delivery.tracking_id
    left join commission_entry as moved on moved.id = occurrence.entry_id
    -- A reversal that is itself reversed tells of what it had taken, which stands again.
    left join commission_entry as entry on entry.id = case
      when occurrence.type = 'commission.accrued' and moved.kind = 'reversal' then moved.reversal_of else moved.id end
    left join lead_event as event on event.id = coalesce(occurrence.event_id, entry.lead_event_id)
    left join reject_reason on reject_reason.code = coalesce(event.reason_code, entry.reason_code)
    left join payment on payment.id = occurrence.payment_id
    order by seq`.execute(db)
  return rows
}

/** The newest lead that has an event, else the newest at all, as something that could be told of now. */
export async function findSample(db: Db | Tx, isOwn: RawBuilder<boolean>): Promise<Facts | undefined> {
  const { rows } = await sql<Facts>`
    select 'lead.event' as type, ${leadColumns}, lead.product_id, lead.affiliate_id, lead.issuer_id,
      lead.created_at as at, event.step_id, event.step_name, event.event_type_name as event_type,
      null as reason, null as reason_group, entry.amount, entry.state as entry_state,
      null as payment_id, null as payment_amount, null as payment_status
    from (select * from lead where ${isOwn} order by tracking_id desc limit 50) as lead
    left join lateral (
      select * from lead_event where lead_id = lead.id order by id desc limit 1
    ) as event on true
    left join commission_entry as entry on entry.lead_event_id = event.id and entry.reversal_of is null
    order by event.id is null, lead.tracking_id desc limit 1`.execute(db)
  return rows[0]
}

/** For who has no lead yet. */
export const INVENTED: Facts = {
  type: 'lead.event',
  at: '2026-01-31T18:00:00.000Z',
  tracking_id: '019c0000-0000-7000-8000-000000000000',
  external_id: 'visita-1',
  relationship_id: 1,
  product_id: 1,
  affiliate_id: 1,
  issuer_id: 1,
  utm_source: 'facebook',
  utm_medium: 'social',
  utm_campaign: 'enero',
  utm_term: '',
  utm_content: '',
  params: { sub1: 'anuncio-1' },
  step_id: 1,
  step_name: 'Aprobado',
  event_type: 'aprobado',
  reason: null,
  reason_group: null,
  amount: '500.00',
  entry_state: 'accrued',
  payment_id: null,
  payment_amount: null,
  payment_status: null,
}

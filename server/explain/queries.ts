import { sql } from 'kysely'
import { REJECTED } from '#contract/event-steps.ts'
import type { Tx } from '#db/connect.ts'
import type { Came } from '../events/sent-events.ts'
import { visibleLeads } from '../leads/filters.ts'
import { dueDay, standing } from '../ledger/standing.ts'
import { nameFor, ownParties } from '../parties.ts'
import { adviceFor, labelFor } from '../rulings/reason-columns.ts'
import type { Viewer } from '../viewer.ts'

const ofPayment = [
  'payment.payment_status',
  'payment.payment_date',
  'payment.period_start',
  'payment.period_end',
  'payment.paid_at',
  'payment.created_at as payment_made_at',
] as const

/** Every read of one entry starts here, so no caller can forget whose rows these are. */
function visibleEntry(tx: Tx, viewer: Viewer, id: number) {
  let rows = tx.selectFrom('commission_entry').where('commission_entry.id', '=', id)
  for (const [party, own] of ownParties(viewer)) rows = rows.where(`commission_entry.${party}`, '=', own)
  return rows
}

/** The bonus or adjustment, or what took one back with its lead or gave it back, if the viewer may see it. */
export const findTyped = (tx: Tx, viewer: Viewer, id: number) =>
  visibleEntry(tx, viewer, id)
    .where('commission_entry.lead_id', 'is', null)
    .innerJoin('issuer', 'issuer.id', 'commission_entry.issuer_id')
    .innerJoin('affiliate', 'affiliate.id', 'commission_entry.affiliate_id')
    .leftJoin('product', 'product.id', 'commission_entry.product_id')
    .leftJoin('payment', 'payment.id', 'commission_entry.payment_id')
    .leftJoin('commission_entry as compensated', 'compensated.id', 'commission_entry.compensates')
    .select([
      'compensated.id as compensated_id',
      'compensated.lead_id as compensated_lead',
      'compensated.amount as compensated_amount',
      'compensated.earned_at as compensated_at',
      'commission_entry.id',
      'commission_entry.kind',
      'commission_entry.amount',
      'commission_entry.state',
      'commission_entry.note',
      'commission_entry.reason',
      'commission_entry.is_voided',
      'commission_entry.earned_at',
      'commission_entry.of_payment',
      'commission_entry.payment_id',
      sql<string | null>`(select first_name || ' ' || last_name from "user" where id = commission_entry.author_id)`.as(
        'author_name',
      ),
      sql<null>`null`.as('reject_label'),
      sql<null>`null`.as('advice'),
      standing.as('standing'),
      dueDay.as('due_on'),
      'issuer.company_name as issuer_name',
      'affiliate.company_name as affiliate_name',
      'product.name as product_name',
      ...ofPayment,
    ])
    .executeTakeFirst()

/** The adjustment that an entry is, takes back or gives back, with all that did so: the oldest first. */
export async function listTypedChain(tx: Tx, id: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive before as (
      select id, reversal_of from commission_entry where id = ${id}
      union all
      select entry.id, entry.reversal_of from commission_entry as entry join before on before.reversal_of = entry.id
    ), chain as (
      select id from before where reversal_of is null
      union all
      select entry.id from commission_entry as entry join chain on entry.reversal_of = chain.id
    ) select id from chain order by id`.execute(tx)
  return rows.map((row) => row.id)
}

/** The commission of a lead, or what took it back or gave it back, if the viewer may see it. */
export const findEntry = (tx: Tx, viewer: Viewer, id: number) =>
  visibleEntry(tx, viewer, id)
    .innerJoin('lead', 'lead.tracking_id', 'commission_entry.tracking_id')
    .innerJoin('issuer', 'issuer.id', 'commission_entry.issuer_id')
    .innerJoin('affiliate', 'affiliate.id', 'commission_entry.affiliate_id')
    .innerJoin('product', 'product.id', 'commission_entry.product_id')
    .select([
      'commission_entry.id',
      'commission_entry.lead_id',
      'commission_entry.step_id',
      'lead.tracking_id',
      'lead.external_id',
      'lead.utm_source',
      'lead.utm_campaign',
      'lead.created_at as clicked_at',
      'issuer.company_name as issuer_name',
      'affiliate.company_name as affiliate_name',
      'product.name as product_name',
    ])
    .$narrowType<{ lead_id: number; step_id: number }>()
    .executeTakeFirst()

export type Found = NonNullable<Awaited<ReturnType<typeof findEntry>>>

/** The lead, if the viewer may see it. */
export const findLead = (tx: Tx, viewer: Viewer, id: number) =>
  visibleLeads(tx, viewer)
    .innerJoin('issuer', 'issuer.id', 'lead.issuer_id')
    .innerJoin('affiliate', 'affiliate.id', 'lead.affiliate_id')
    .innerJoin('product', 'product.id', 'lead.product_id')
    .where('lead.id', '=', id)
    .select([
      'lead.id as lead_id',
      'lead.tracking_id',
      'lead.external_id',
      'lead.utm_source',
      'lead.utm_campaign',
      'lead.created_at as clicked_at',
      'issuer.company_name as issuer_name',
      'affiliate.company_name as affiliate_name',
      'product.name as product_name',
    ])
    .executeTakeFirst()

/** The commission of a lead at a step, and what took it back and gave it back: the oldest first. */
export const listChain = (tx: Tx, viewer: Viewer, { lead_id, step_id }: Found) =>
  listLinks(tx, viewer, lead_id).where('commission_entry.step_id', '=', step_id).execute()

const ofEntry = [
  'commission_entry.note',
  'commission_entry.earned_at',
  'commission_entry.payment_id',
  'commission_entry.validation_ends_on',
  'commission_entry.approved_at',
] as const

const ofEvent = [
  'lead_event.id as told_by',
  'lead_event.step_name',
  'lead_event.source',
  'lead_event.created_at as told_at',
  'lead_event.occurred_at',
  'lead_event.event_id',
  'lead_event.sent_from',
  'lead_event.event_data',
  sql<Came | null>`lead_event.receipt`.as('came'),
  sql<string>`encode(lead_event.fingerprint, 'hex')`.as('fingerprint'),
] as const

/** All that a lead earned, chain by chain, the oldest first. */
export const listChains = async (tx: Tx, viewer: Viewer, leadId: number) =>
  Map.groupBy(await listLinks(tx, viewer, leadId).execute(), ({ step_id }) => step_id)

const listLinks = (tx: Tx, viewer: Viewer, leadId: number) =>
  tx
    .selectFrom('commission_entry')
    .innerJoin('lead_event', 'lead_event.id', 'commission_entry.lead_event_id')
    .leftJoin('rate', 'rate.id', 'commission_entry.rate_id')
    .leftJoin('payment', 'payment.id', 'commission_entry.payment_id')
    .leftJoin('reject_reason', 'reject_reason.code', 'commission_entry.reason_code')
    .where('commission_entry.lead_id', '=', leadId)
    .select([
      'commission_entry.id',
      'commission_entry.step_id',
      'commission_entry.kind',
      'commission_entry.amount',
      'commission_entry.state',
      'commission_entry.reason',
      ...ofEntry,
      nameFor(viewer, 'approved_by').as('approved_by'),
      standing.as('standing'),
      dueDay.as('due_on'),
      sql<string | null>`public_label(reject_reason)`.as('reject_label'),
      adviceFor(viewer).as('advice'),
      'rate.amount as rate_amount',
      'rate.valid_from',
      'rate.commission_id as rate_commission',
      'rate.event_step_id as rate_step',
      'lead_event.event_type_name',
      ...ofEvent,
      ...ofPayment,
    ])
    .orderBy('commission_entry.id')

export type Link = Awaited<ReturnType<typeof listChain>>[number]

/** That a step was reported again after an event of it was voided, the oldest first. */
export const listReports = (tx: Tx, leadId: number, stepId: number | null) =>
  tx
    .selectFrom('lead_event')
    .where('lead_event.lead_id', '=', leadId)
    .where('lead_event.step_id', '=', stepId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('lead_ruling')
          .innerJoin('lead_event as voided', 'voided.id', 'lead_ruling.lead_event_id')
          .where('lead_ruling.lead_id', '=', leadId)
          .where('lead_ruling.kind', '=', 'void')
          .where('voided.step_id', '=', stepId)
          .whereRef('voided.id', '<', 'lead_event.id')
          .whereRef('lead_ruling.created_at', '<=', 'lead_event.created_at'),
      ),
    )
    .select([...ofEvent])
    .orderBy('lead_event.id')
    .execute()

export const listHolds = (tx: Tx, viewer: Viewer, chain: readonly { id: number }[]) =>
  tx
    .selectFrom('entry_hold')
    .where(
      'entry_id',
      'in',
      chain.map(({ id }) => id),
    )
    .select([
      ...(['reason', 'note', 'opened_at', 'released_at', 'release_note'] as const),
      nameFor(viewer, 'opened_by').as('opened_by'),
      nameFor(viewer, 'released_by').as('released_by'),
    ])
    .orderBy('id')
    .execute()

export const listRejections = (tx: Tx, viewer: Viewer, leadId: number) =>
  tx
    .selectFrom('lead_event')
    .leftJoin('reject_reason', 'code', 'reason_code')
    .leftJoin('lead_ruling as void', 'void.lead_event_id', 'lead_event.id')
    .where('lead_event.lead_id', '=', leadId)
    .where('event_type_name', '=', REJECTED)
    .select([
      'step_name',
      'source',
      'sent_from',
      sql<Came | null>`receipt`.as('came'),
      'lead_event.created_at',
      'void.created_at as voided_at',
      labelFor(viewer).as('label'),
    ])
    .orderBy('lead_event.id')
    .execute()

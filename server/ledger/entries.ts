import { sql } from 'kysely'
import type { EntryState } from '#contract/commission-entries.ts'
import { REJECTED } from '#contract/event-steps.ts'
import type { Tx } from '#db/connect.ts'
import type { AuditEvent } from '../audit.ts'

interface EarningLead {
  id: number
  relationship_id: number
  affiliate_id: number
  issuer_id: number
  product_id: number
}

/** A stored event and the lead that it is of, whose row is locked. */
export interface LeadEvent {
  id: number
  step_id: number
  step_name: string
  lead: EarningLead
}

/** What became of an entry because of an event. */
export interface EntryChange {
  eventId: number
  entry: { amount: string; state: string }
  audit: AuditEvent
}

interface Made {
  id: number
  lead_event_id: number
  amount: string
  state: string
  reason: string | null
}

const REASON = 'Lead rechazado: '

/**
 * What events earn: the commission in force now, once per lead and step for ever. Each of another lead, the lead's row
 * locked. On a lead that was rejected before, the entry is born reversed, so that the order of arrival changes nothing.
 */
export async function accrue(tx: Tx, events: readonly LeadEvent[]): Promise<EntryChange[]> {
  const earnings = events.map(({ id, step_id, lead: { id: lead_id, ...parties } }) => ({
    ...{ lead_event_id: id, step_id, lead_id },
    ...parties,
  }))
  const { rows } = await sql<Made>`
    insert into commission_entry (commission_id, amount, lead_id, step_id, lead_event_id, state, reason,
      relationship_id, affiliate_id, issuer_id, product_id)
    select commission.id, commission.payout, earning.lead_id, earning.step_id, earning.lead_event_id,
      case when rejection.step_name is null then 'accrued' else 'reversed' end, ${REASON} || rejection.step_name,
      earning.relationship_id, earning.affiliate_id, earning.issuer_id, earning.product_id
    from json_to_recordset(${JSON.stringify(earnings)}::json) as earning (lead_event_id bigint, step_id bigint,
      lead_id bigint, relationship_id bigint, affiliate_id bigint, issuer_id bigint, product_id bigint)
    join commission on commission.affiliate_id = earning.affiliate_id
      and commission.product_id = earning.product_id and commission.archived_at is null
    left join lateral (
      select step_name from lead_event
      where lead_event.lead_id = earning.lead_id and event_type_name = ${REJECTED} order by id limit 1
    ) as rejection on true
    order by earning.lead_event_id
    on conflict (lead_id, step_id) where reversal_of is null do nothing
    returning id, lead_event_id, amount, state, reason`.execute(tx)
  return rows.map((made) => {
    const { amount, state, reason } = made
    return { eventId: made.lead_event_id, entry: made, audit: created(made.id, { amount, state, reason }) }
  })
}

/** Before any of them is judged, and all in one order: a payment may be turning the same entries into paid ones. */
export const lockEntries = (tx: Tx, leadIds: readonly number[]) =>
  tx
    .selectFrom('commission_entry')
    .select('id')
    .where('lead_id', '=', sql<number>`any(${leadIds}::bigint[])`)
    .where('reversal_of', 'is', null)
    .where('state', '<>', 'reversed')
    .orderBy('id')
    .forUpdate()
    .execute()

/**
 * Takes back what rejected leads earned, their entries locked. What was already paid stays, and a negative entry
 * settles it next time.
 */
export async function reverse(tx: Tx, rejections: readonly LeadEvent[]): Promise<EntryChange[]> {
  const byLead = new Map(rejections.map((event) => [event.lead.id, event]))
  const standing = (await listStanding(tx, [...byLead.keys()])).flatMap((entry) => {
    const rejection = byLead.get(entry.lead_id)
    return rejection ? [{ ...entry, eventId: rejection.id, reason: REASON + rejection.step_name }] : []
  })
  const paid = standing.filter(({ state }) => state === 'paid')
  const unpaid = standing.filter(({ state }) => state !== 'paid')
  return [...(await markReversed(tx, unpaid)), ...(await takeBack(tx, paid))]
}

/** One that was taken back while it was paid is settled for ever, also after its payment gave it up. */
const listStanding = (tx: Tx, leadIds: readonly number[]) =>
  tx
    .selectFrom('commission_entry as entry')
    .select(['id', 'lead_id', 'amount', 'state'])
    .where('lead_id', '=', sql<number>`any(${leadIds}::bigint[])`)
    .where('reversal_of', 'is', null)
    .where('state', '<>', 'reversed')
    .where((eb) => {
      const takenBack = eb.selectFrom('commission_entry as negative').whereRef('negative.reversal_of', '=', 'entry.id')
      return eb.not(eb.exists(takenBack.select('negative.id')))
    })
    .orderBy('id')
    .execute()

type Standing = Awaited<ReturnType<typeof listStanding>>[number] & { eventId: number; reason: string }

async function markReversed(tx: Tx, entries: readonly Standing[]): Promise<EntryChange[]> {
  if (!entries.length) return []
  await sql`
    update commission_entry set state = 'reversed', reason = said.reason
    from json_to_recordset(${JSON.stringify(entries)}::json) as said (id bigint, reason text)
    where commission_entry.id = said.id`.execute(tx)
  return entries.map((entry) => {
    const change = { before: { state: entry.state }, after: { state: 'reversed', reason: entry.reason } }
    const audit = { action: 'reverse', entity: 'commission_entry', entityId: entry.id, ...change }
    return { eventId: entry.eventId, entry, audit }
  })
}

async function takeBack(tx: Tx, entries: readonly Standing[]): Promise<EntryChange[]> {
  if (!entries.length) return []
  const { rows } = await sql<Made & { reversal_of: number }>`
    insert into commission_entry (lead_id, step_id, commission_id, relationship_id, affiliate_id, issuer_id, product_id,
      lead_event_id, amount, state, reversal_of, reason)
    select lead_id, step_id, commission_id, relationship_id, affiliate_id, issuer_id, product_id,
      said."eventId", -amount, ${'accrued' satisfies EntryState}, entry.id, said.reason
    from json_to_recordset(${JSON.stringify(entries)}::json) as said (id bigint, "eventId" bigint, reason text)
    join commission_entry as entry on entry.id = said.id
    order by entry.id
    on conflict (reversal_of) do nothing
    returning id, lead_event_id, amount, state, reason, reversal_of`.execute(tx)
  return rows.map((made) => {
    const { amount, state, reversal_of, reason } = made
    return { eventId: made.lead_event_id, entry: made, audit: created(made.id, { amount, state, reversal_of, reason }) }
  })
}

const created = (entityId: number, after: Record<string, unknown>): AuditEvent => ({
  action: 'create',
  entity: 'commission_entry',
  entityId,
  before: {},
  after,
})

import { sql } from 'kysely'
import type { EntryState } from '#contract/commission-entries.ts'
import { REJECTED } from '#contract/event-steps.ts'
import type { Tx } from '#db/connect.ts'
import { type Actor, audit } from '../audit.ts'

interface EarningLead {
  id: number
  relationship_id: number
  affiliate_id: number
  issuer_id: number
  product_id: number
}

interface EarningEvent {
  id: number
  step_id: number
}

const returned = ['id', 'amount', 'state', 'reason'] as const

/**
 * What an event earns: the commission in force now, once per lead and step for ever. Call it with the lead's row locked.
 * On a lead that was rejected before, the entry is born reversed, so that the order of arrival changes nothing.
 */
export async function accrue(tx: Tx, actor: Actor, lead: EarningLead, event: EarningEvent): Promise<void> {
  const reason = await reasonOfRejection(tx, lead.id)
  const state: EntryState = reason === null ? 'accrued' : 'reversed'
  const entry = await tx
    .insertInto('commission_entry')
    .columns([
      ...(['commission_id', 'amount', 'lead_id', 'step_id', 'lead_event_id', 'state', 'reason'] as const),
      ...(['relationship_id', 'affiliate_id', 'issuer_id', 'product_id'] as const),
    ])
    .expression((eb) =>
      eb
        .selectFrom('commission')
        .select([
          'id',
          'payout',
          ...[lead.id, event.step_id, event.id].map((id) => sql<number>`${id}::bigint`.as('_')),
          sql<string>`${state}::text`.as('state'),
          sql<string | null>`${reason}::text`.as('reason'),
          ...[lead.relationship_id, lead.affiliate_id, lead.issuer_id, lead.product_id].map((id) =>
            sql<number>`${id}::bigint`.as('_'),
          ),
        ])
        .where('affiliate_id', '=', lead.affiliate_id)
        .where('product_id', '=', lead.product_id)
        .where('archived_at', 'is', null),
    )
    .onConflict((conflict) => conflict.columns(['lead_id', 'step_id']).where('reversal_of', 'is', null).doNothing())
    .returning(returned)
    .executeTakeFirst()
  if (!entry) return
  await auditEntry(
    tx,
    actor,
    'create',
    entry.id,
    {},
    { amount: entry.amount, state: entry.state, reason: entry.reason },
  )
}

async function reasonOfRejection(tx: Tx, leadId: number): Promise<string | null> {
  const rejection = await tx
    .selectFrom('lead_event')
    .select('step_name')
    .where('lead_id', '=', leadId)
    .where('event_type_name', '=', REJECTED)
    .orderBy('id')
    .executeTakeFirst()
  return rejection ? reasonFor(rejection.step_name) : null
}

const reasonFor = (stepName: string): string => `Lead rechazado: ${stepName}`

/** Takes back what a rejected lead earned. What was already paid stays, and a negative entry settles it next time. */
export async function reverse(
  tx: Tx,
  actor: Actor,
  lead: EarningLead,
  event: EarningEvent & { step_name: string },
): Promise<void> {
  // Locked before they are judged: a payment may be turning the same entries into paid ones. One that was taken back
  // while it was paid is settled for ever, also after its payment gave it up.
  const entries = await tx
    .selectFrom('commission_entry as entry')
    .selectAll()
    .where('lead_id', '=', lead.id)
    .where('reversal_of', 'is', null)
    .where('state', '<>', 'reversed')
    .where((eb) => {
      const takenBack = eb.selectFrom('commission_entry as negative').whereRef('negative.reversal_of', '=', 'entry.id')
      return eb.not(eb.exists(takenBack.select('negative.id')))
    })
    .orderBy('id')
    .forUpdate()
    .execute()
  const reason = reasonFor(event.step_name)
  for (const entry of entries) {
    if (entry.state === 'paid') await takeBack(tx, actor, entry, event.id, reason)
    else await markReversed(tx, actor, entry, reason)
  }
}

interface Entry {
  id: number
  amount: string
  state: string
  step_id: number
  commission_id: number
  lead_id: number
  relationship_id: number
  affiliate_id: number
  issuer_id: number
  product_id: number
}

async function markReversed(tx: Tx, actor: Actor, entry: Entry, reason: string): Promise<void> {
  await tx.updateTable('commission_entry').set({ state: 'reversed', reason }).where('id', '=', entry.id).execute()
  await auditEntry(tx, actor, 'reverse', entry.id, { state: entry.state }, { state: 'reversed', reason })
}

async function takeBack(tx: Tx, actor: Actor, entry: Entry, eventId: number, reason: string): Promise<void> {
  const { id, state: _, ...copied } = entry
  const { lead_id, step_id, commission_id, relationship_id, affiliate_id, issuer_id, product_id } = copied
  const negative = await tx
    .insertInto('commission_entry')
    .values({
      ...{ lead_id, step_id, commission_id, relationship_id, affiliate_id, issuer_id, product_id },
      lead_event_id: eventId,
      amount: sql`-(${entry.amount}::numeric)`,
      state: 'accrued' satisfies EntryState,
      reversal_of: id,
      reason,
    })
    .onConflict((conflict) => conflict.column('reversal_of').doNothing())
    .returning(returned)
    .executeTakeFirst()
  if (!negative) return
  const after = { amount: negative.amount, state: negative.state, reversal_of: id, reason }
  await auditEntry(tx, actor, 'create', negative.id, {}, after)
}

type Fields = Record<string, unknown>

const auditEntry = (tx: Tx, actor: Actor, action: string, entityId: number, before: Fields, after: Fields) =>
  audit(tx, actor, { action, entity: 'commission_entry', entityId, before, after })

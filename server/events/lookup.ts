import type { LookedUpEvent } from '#contract/tracking.ts'
import { canonicalTrackingId } from '#contract/tracking.ts'
import type { Db, Tx } from '#db/connect.ts'
import { looseData } from '../leads/wire.ts'
import { unknownLead } from './sent-events.ts'
import { waitForWriters } from './writers.ts'

interface LookUp {
  tracking_id?: string | undefined
  since?: number | undefined
  limit: number
}

/** What an issuer has stored with us: the events of one lead, or those after a cursor in the order they were stored. */
export async function lookUpEvents(db: Db, issuerId: number, query: LookUp) {
  const rows = await db.transaction().execute(async (tx) => {
    // An event with a lower id may still be on its way to its COMMIT; a cursor must not walk past it.
    if (query.tracking_id === undefined) await waitForWriters(tx, issuerId)
    const leadId = query.tracking_id === undefined ? undefined : await getLeadId(tx, issuerId, query.tracking_id)
    return listAfter(tx, issuerId, leadId, query)
  })
  const results: LookedUpEvent[] = rows.map((row) => ({ ...row, event_data: looseData(row.event_data) }))
  const last = results.at(-1)
  return { results, next: last && results.length === query.limit ? String(last.id) : null }
}

async function getLeadId(tx: Tx, issuerId: number, trackingId: string): Promise<number> {
  const canonical = canonicalTrackingId(trackingId)
  if (!canonical) throw unknownLead()
  const lead = await tx
    .selectFrom('lead')
    .select('id')
    .where('tracking_id', '=', canonical)
    .where('issuer_id', '=', issuerId)
    .executeTakeFirst()
  if (!lead) throw unknownLead()
  return lead.id
}

function listAfter(tx: Tx, issuerId: number, leadId: number | undefined, { since = 0, limit }: LookUp) {
  let rows = tx
    .selectFrom('lead_event')
    .innerJoin('lead', 'lead.id', 'lead_event.lead_id')
    .select([
      'lead_event.id',
      'lead_event.event_id',
      'lead.tracking_id',
      'lead_event.step_id',
      'lead_event.step_name',
      'lead_event.event_type_name',
      'lead_event.source',
      'lead_event.event_data',
      'lead_event.occurred_at',
      'lead_event.created_at',
    ])
    .where('lead_event.issuer_id', '=', issuerId)
    .where('lead_event.id', '>', since)
  if (leadId !== undefined) rows = rows.where('lead_event.lead_id', '=', leadId)
  return rows.orderBy('lead_event.id').limit(limit).execute()
}

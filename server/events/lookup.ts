import { sql } from 'kysely'
import { readTrackingId } from '#contract/outside-ids.ts'
import type { LookedUpEvent } from '#contract/tracking.ts'
import type { Db, Tx } from '#db/connect.ts'
import { looseData } from '../leads/wire.ts'
import { mindingSpool } from '../spool/spooled-leads.ts'
import type { Intake } from './intake.ts'
import { unknownLead } from './sent-events.ts'

interface LookUp {
  tracking_id?: string | undefined
  since?: number | undefined
  limit: number
}

/** An issuer's events by id: those of one lead, or those after a cursor. */
export async function lookUpEvents({ db, spool }: Pick<Intake, 'db' | 'spool'>, issuerId: number, query: LookUp) {
  const rows = await (query.tracking_id === undefined
    ? db.transaction().execute(async (tx) => {
        // An event with a lower id may not be committed yet; a cursor must not skip it.
        await waitForWriters(tx, issuerId)
        return listAfter(tx, issuerId, query)
      })
    : listAfter(db, issuerId, query, await getLeadId({ db, spool }, issuerId, query.tracking_id)))
  const results: LookedUpEvent[] = rows.map((row) => ({ ...row, event_data: looseData(row.event_data) }))
  const last = results.at(-1)
  return { results, next: last && results.length === query.limit ? String(last.id) : null }
}

/** Returns when every event of the issuer with an id is committed or rolled back: store_events() holds the lock. */
const waitForWriters = (tx: Tx, issuerId: number) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`lead_event ${issuerId}`}, 0))`.execute(tx)

async function getLeadId({ db, spool }: Pick<Intake, 'db' | 'spool'>, issuerId: number, trackingId: string) {
  const canonical = readTrackingId(trackingId)
  if (!canonical) throw unknownLead()
  return mindingSpool(spool, canonical, async () => {
    const lead = await db
      .selectFrom('lead')
      .select('id')
      .where('tracking_id', '=', canonical)
      .where('issuer_id', '=', issuerId)
      .executeTakeFirst()
    if (!lead) throw unknownLead()
    return lead.id
  })
}

function listAfter(db: Db, issuerId: number, { since = 0, limit }: LookUp, leadId?: number) {
  let rows = db
    .selectFrom('lead_event')
    .select([
      'id',
      'event_id',
      'tracking_id',
      'step_id',
      'step_name',
      'event_type_name',
      'source',
      'event_data',
      'occurred_at',
      'created_at',
      'is_voided',
    ])
    .where('issuer_id', '=', issuerId)
    .where('id', '>', since)
  if (leadId !== undefined) rows = rows.where('lead_id', '=', leadId)
  return rows.orderBy('id').limit(limit).execute()
}

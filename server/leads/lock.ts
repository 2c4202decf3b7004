import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'

/** As store_events() does, and in its order: no event of theirs comes between what is read and what is decided. */
export async function lockLeads(tx: Tx, issuerId: number, trackingIds: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${`lead_event ${issuerId}`}, 0))`.execute(tx)
  await sql`select from lead where tracking_id = any(${trackingIds}::uuid[]) order by tracking_id for no key update`.execute(
    tx,
  )
}

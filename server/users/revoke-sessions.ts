import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'

/** Ends the sessions of these users, also those in which they see the product as others; optionally except the calling one. */
export async function revokeSessions(tx: Tx, userIds: number[], reason: string, exceptId?: string): Promise<void> {
  if (!userIds.length) return
  let ending = tx
    .updateTable('session')
    .set({ revoked_at: sql<string>`now()`, revoked_reason: reason })
    .where((eb) => eb.or([eb('user_id', 'in', userIds), eb('impersonator_id', 'in', userIds)]))
    .where('revoked_at', 'is', null)
  if (exceptId) ending = ending.where('id', '<>', exceptId)
  await ending.execute()
}

import { sql } from 'kysely'
import { LINK_MINUTES, LINK_USED, type LinkPurpose } from '#contract/access-links.ts'
import type { Db, Tx } from '#db/connect.ts'
import { hashToken, newSecretToken } from '../auth/tokens.ts'
import { AppError } from '../http/errors.ts'

interface NewLink {
  userId: number
  purpose: LinkPurpose
  delivered: 'mail' | 'shown'
  createdBy: number | null
}

/** The one link of this person that works from now on. Callers hold the lock of the user's row. */
export async function makeLink(tx: Tx, link: NewLink): Promise<{ token: string; expiresAt: string }> {
  await endLinks(tx, link.userId)
  const token = newSecretToken()
  const { expires_at: expiresAt } = await tx
    .insertInto('access_link')
    .values({
      user_id: link.userId,
      purpose: link.purpose,
      token_hash: hashToken(token),
      delivered: link.delivered,
      created_by: link.createdBy,
      expires_at: sql<string>`now() + make_interval(mins => ${LINK_MINUTES[link.purpose]}::int)`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { token, expiresAt }
}

/** Behind the hash, so that no server and no log along the way reads it, and no page that is left tells it on. */
export const addressOfLink = (publicUrl: string, token: string): string => `${publicUrl}/acceso#${token}`

/** Whoever holds an older link must not get in with it: there is a newer one, or the account is another's by now. */
export async function endLinks(tx: Tx, userId: number): Promise<void> {
  await tx
    .updateTable('access_link')
    .set({ ended_at: sql<string>`now()` })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .where('ended_at', 'is', null)
    .execute()
}

/** Links that still open something; whether their person may come in is not asked. */
export const openLinks = (db: Db | Tx) =>
  db
    .selectFrom('access_link')
    .where('used_at', 'is', null)
    .where('ended_at', 'is', null)
    .where('access_link.expires_at', '>', sql<string>`now()`)

/** The link, if it still opens something, and whose it is. */
export async function findLink(db: Db | Tx, token: string) {
  const link = await openLinks(db)
    .innerJoin('user', 'user.id', 'access_link.user_id')
    .select(['access_link.id', 'access_link.user_id', 'access_link.purpose'])
    .select(['user.email', 'user.first_name', 'user.last_name', 'user.role'])
    .where('token_hash', '=', hashToken(token))
    .where('user.user_status', '=', 'active')
    .where('user.archived_at', 'is', null)
    .executeTakeFirst()
  if (!link) throw new AppError(410, 'LINK_USED', LINK_USED)
  return { ...link, purpose: link.purpose as LinkPurpose }
}

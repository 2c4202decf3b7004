import { sql } from 'kysely'
import type { LoginAnswer } from '#contract/auth.ts'
import { deviceOf } from '#contract/device.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { announce } from '../deliveries/occurrences.ts'
import { getUser } from '../users/queries.ts'
import type { Origin } from './origin.ts'
import { openSession } from './sessions.ts'
import type { AccessTokens } from './tokens.ts'

/** An account as the doors look at it. */
export const accounts = (db: Db | Tx) =>
  db
    .selectFrom('user')
    .select(['id', 'email', 'first_name', 'last_name', 'role', 'password_hash', 'user_status', 'last_login'])
    .where('archived_at', 'is', null)

export type Account = NonNullable<Awaited<ReturnType<ReturnType<typeof accounts>['executeTakeFirst']>>>

/** The account, locked, while it may come in. */
export const lockActive = (tx: Tx, userId: number) =>
  accounts(tx).where('id', '=', userId).where('user_status', '=', 'active').forUpdate().executeTakeFirst()

/** Opens the session of a person who has shown all that was asked. Callers hold the lock of the user's row. */
export async function enter(
  tx: Tx,
  tokens: AccessTokens,
  user: Account,
  from: Origin,
  factor?: string,
): Promise<LoginAnswer> {
  await announceDevice(tx, user.id, deviceOf(from.userAgent))
  await tx.updateTable('user').set({ last_login: sql<string>`now()` }).where('id', '=', user.id).execute()
  const session = await openSession(tx, user.id, from)
  const actor = from.actor(user)
  const after = factor === undefined ? undefined : { factor }
  await audit(tx, actor, { action: 'login', entity: 'user', entityId: user.id, label: actor.name, after })
  const access = await tokens.sign({ id: session.id, userId: user.id })
  // The answer of the sign-in is as it was before there were duties.
  const { duty: _, ...profile } = await getUser(tx, user.id)
  return { access, refresh: session.refresh, user: { ...profile, last_login: user.last_login } }
}

/** One that none of the sessions that are still kept came from; nobody's first. */
async function announceDevice(tx: Tx, userId: number, device: string): Promise<void> {
  const known = await tx
    .selectFrom('session')
    .select('user_agent')
    .distinct()
    .where('user_id', '=', userId)
    // The device of an administrator who looked is not theirs.
    .where('impersonator_id', 'is', null)
    .execute()
  if (known.length && !known.some(({ user_agent }) => deviceOf(user_agent) === device))
    await announce(tx, 'device.new', { user_id: userId, detail: device })
}

/** The address that was typed is left out: people type passwords into that field too. */
export const recordFailure = (db: Db, from: Origin, userId: number | null, reason: string | undefined) =>
  db
    .transaction()
    .execute((tx) =>
      audit(tx, from.stranger, { action: 'login_failed', entity: 'user', entityId: userId, after: { reason } }),
    )

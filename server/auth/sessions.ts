import { sql } from 'kysely'
import type { Session } from '#contract/auth.ts'
import { SESSION_EXPIRED } from '#contract/auth.ts'
import { VIEW_MINUTES } from '#contract/view-as.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { AppError, unauthenticated } from '../http/errors.ts'
import type { Impersonator, Viewer } from '../viewer.ts'
import { networkOf } from './networks.ts'
import type { Origin } from './origin.ts'
import type { Throttle } from './throttle.ts'
import { type AccessTokens, hashToken, newSecretToken } from './tokens.ts'

const SESSIONS_PER_USER = 10
const absoluteEnd = sql<string>`now() + interval '12 hours'`
const viewEnd = sql<string>`now() + make_interval(mins => ${VIEW_MINUTES}::int)`
/** Who has just signed in has shown who they are. */
export const elevatedUntil = sql<string>`now() + interval '10 minutes'`
const idleSince = sql<string>`now() - interval '2 hours'`
const now = sql<string>`now()`

/** Sessions that may still be refreshed: not ended, not too old, not idle for too long (security 2.3). */
const liveSessions = (db: Db | Tx) =>
  db
    .selectFrom('session')
    .where('session.revoked_at', 'is', null)
    .where('session.expires_at', '>', now)
    .where('session.last_used_at', '>', idleSince)

/**
 * The caller holds the lock of the user's row, so that sign-ins of one person are counted one after the other. With an
 * impersonator it is an administrator's who sees the product as this person, and ends no session of theirs.
 */
export async function openSession(
  tx: Tx,
  userId: number,
  from: Origin,
  impersonatorId?: number,
): Promise<{ id: string; refresh: string }> {
  const refresh = newSecretToken()
  const { id } = await tx
    .insertInto('session')
    .values({
      user_id: userId,
      refresh_hash: hashToken(refresh),
      ...(impersonatorId === undefined
        ? { expires_at: absoluteEnd, elevated_until: elevatedUntil }
        : { expires_at: viewEnd, impersonator_id: impersonatorId }),
      address: from.address,
      user_agent: from.userAgent,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (impersonatorId === undefined) await endSurplus(tx, userId, id)
  return { id, refresh }
}

/** The newest is never among them. */
async function endSurplus(tx: Tx, userId: number, newest: string): Promise<void> {
  const live = await liveSessions(tx)
    .select('session.id')
    .where('session.user_id', '=', userId)
    .where('session.impersonator_id', 'is', null)
    .orderBy(sql`session.id = ${newest}`, 'desc')
    .orderBy('session.created_at', 'desc')
    .orderBy('session.id')
    .execute()
  const surplus = live.slice(SESSIONS_PER_USER).map((session) => session.id)
  if (surplus.length) {
    await tx
      .updateTable('session')
      .set({ revoked_at: now, revoked_reason: 'too_many' })
      .where('id', 'in', surplus)
      .execute()
  }
}

/** Those of one administrator on one person: a newer one takes their place. */
export const endViews = (tx: Tx, { userId, impersonatorId }: { userId: number; impersonatorId: number }) =>
  tx
    .updateTable('session')
    .set({ revoked_at: now, revoked_reason: 'ended' })
    .where('user_id', '=', userId)
    .where('impersonator_id', '=', impersonatorId)
    .where('revoked_at', 'is', null)
    .execute()

/** Not rotated, since the specification's client keeps the refresh token it was given (security 2.3). */
export async function refreshSession(
  db: Db,
  throttle: Throttle,
  tokens: AccessTokens,
  refresh: string,
  from: Origin,
): Promise<string> {
  const session = await liveSessions(db)
    .innerJoin('user', 'user.id', 'session.user_id')
    .select(['session.id', 'session.user_id', 'session.address'])
    .select(sql<boolean>`session.last_used_at > now() - interval '1 minute'`.as('used_lately'))
    .where('session.refresh_hash', '=', hashToken(refresh))
    .where('user.user_status', '=', 'active')
    .where('user.archived_at', 'is', null)
    .executeTakeFirst()
  if (!session) throw unauthenticated(SESSION_EXPIRED)
  await throttle.countRefresh(session.id)
  const used = await db
    .updateTable('session')
    .set({ last_used_at: now, address: from.address, user_agent: from.userAgent })
    .where('id', '=', session.id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (!used.numUpdatedRows) throw unauthenticated(SESSION_EXPIRED)
  if (session.used_lately && networkOf(session.address) !== networkOf(from.address))
    from.log.warn(
      { sessionId: session.id, userId: session.user_id },
      'session refreshed from two networks within a minute',
    )
  return tokens.sign({ id: session.id, userId: session.user_id })
}

/** Succeeds also the second time and with an unknown token. */
export async function logout(
  db: Db,
  session: { refresh: string | undefined; id: string | undefined },
  from: Origin,
): Promise<void> {
  const { refresh, id } = session
  if (refresh === undefined && id === undefined) return
  await db.transaction().execute(async (tx) => {
    const ended = await tx
      .updateTable('session')
      .from('user')
      .whereRef('user.id', '=', 'session.user_id')
      .set({ revoked_at: now, revoked_reason: 'logout' })
      .where('session.revoked_at', 'is', null)
      .where((eb) =>
        eb.or([
          ...(refresh === undefined ? [] : [eb('session.refresh_hash', '=', hashToken(refresh))]),
          ...(id === undefined ? [] : [eb('session.id', '=', id)]),
        ]),
      )
      .returning(['user.id', 'user.first_name', 'user.last_name', 'user.role', 'session.impersonator_id'])
      .execute()
    for (const { impersonator_id, ...user } of ended) {
      const actor = from.actor(user)
      const impersonator = impersonator_id === null ? undefined : await nameOf(tx, impersonator_id)
      const action = impersonator ? 'end_view' : 'logout'
      const event = { action, entity: 'user', entityId: user.id, label: actor.name } as const
      await audit(tx, impersonator ? { ...actor, impersonator } : actor, event)
    }
  })
}

const nameOf = (tx: Tx, userId: number): Promise<Impersonator> =>
  tx
    .selectFrom('user')
    .select(['id', sql<string>`concat_ws(' ', first_name, last_name)`.as('name')])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()

export async function listSessions(db: Db, viewer: Viewer): Promise<Session[]> {
  const sessions = await liveSessions(db)
    .select(['id', 'created_at', 'last_used_at', 'expires_at', 'user_agent', 'address', 'impersonator_id'])
    .where('user_id', '=', viewer.userId)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute()
  return sessions.map(({ impersonator_id, ...session }) => {
    const own = { ...session, current: session.id === viewer.sessionId, is_view: impersonator_id !== null }
    // Where an administrator sits is nobody's business.
    return own.is_view ? { ...own, user_agent: '', address: '' } : own
  })
}

export async function endSession(db: Db, viewer: Viewer, id: string): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    const ended = await tx
      .updateTable('session')
      .set({ revoked_at: now, revoked_reason: 'ended' })
      .where('id', '=', id)
      .where('user_id', '=', viewer.userId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    if (!ended.numUpdatedRows) throw new AppError(404, 'NOT_FOUND', 'Sesión no encontrada')
    await audit(tx, viewer, { action: 'end_session', entity: 'user', entityId: viewer.userId, label: viewer.name })
  })
  return undefined
}

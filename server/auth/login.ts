import { sql } from 'kysely'
import type { z } from 'zod'
import {
  LOGIN_REFUSED,
  type Login,
  type LoginAnswer,
  type PasswordChange,
  WRONG_CURRENT_PASSWORD,
} from '#contract/auth.ts'
import type { Db } from '#db/connect.ts'
import { endLinks } from '../access-links/links.ts'
import { audit } from '../audit.ts'
import { invalid, unauthenticated } from '../http/errors.ts'
import { hashPassword, hashQueue, isWeak, matches, NOBODY, toPhc } from '../users/passwords.ts'
import { getUser } from '../users/queries.ts'
import { revokeSessions } from '../users/revoke-sessions.ts'
import type { Viewer } from '../viewer.ts'
import type { Origin } from './origin.ts'
import { openSession } from './sessions.ts'
import type { Throttle } from './throttle.ts'
import type { AccessTokens } from './tokens.ts'

/**
 * One answer and one amount of work for a wrong password, an unknown address and an account that may not enter: the
 * status is looked at after the hash, and every refusal counts the same (security 2.4).
 */
export async function login(
  db: Db,
  throttle: Throttle,
  tokens: AccessTokens,
  form: Login,
  from: Origin,
): Promise<LoginAnswer> {
  const email = form.email.toLowerCase()
  const keys = throttle.keys(email, from.address)
  hashQueue.expectRoom()
  await throttle.expectOpen(keys)
  const hasWaited = await throttle.takeTurn(keys)
  // Checking and counting are in the queue of one at a time: parallel guesses meet the lock, parallel owners do not.
  const { user, refusal, freshHash } = await hashQueue.run(async () => {
    await throttle.expectOpen(keys)
    if (!hasWaited) await throttle.expectNoTurnNeeded(keys)
    const user = await findAccount(db, email)
    const matched = await matches(form.password, user?.password_hash ?? NOBODY)
    const refusal = refusalOf(user, matched)
    if (refusal) await throttle.failed(keys)
    const freshHash = user && !refusal && isWeak(user.password_hash) ? await toPhc(form.password) : undefined
    return { user, refusal, freshHash }
  })
  if (refusal || !user) {
    await recordFailure(db, from, user?.id ?? null, refusal)
    throw unauthenticated(LOGIN_REFUSED)
  }
  const answer = await enter(db, tokens, user, freshHash, from)
  await throttle.succeeded(keys)
  return answer
}

const findAccount = (db: Db, email: string) =>
  db
    .selectFrom('user')
    .select(['id', 'first_name', 'last_name', 'role', 'password_hash', 'user_status', 'issuer_id', 'affiliate_id'])
    .where('email', '=', email)
    .where('archived_at', 'is', null)
    .executeTakeFirst()

type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

function refusalOf(user: Account | undefined, matched: boolean): string | undefined {
  if (!user) return 'unknown'
  if (!matched) return 'wrong_password'
  return user.user_status === 'active' ? undefined : user.user_status
}

/** The address that was typed is left out: people type passwords into that field too. */
const recordFailure = (db: Db, from: Origin, userId: number | null, reason: string | undefined) =>
  db
    .transaction()
    .execute((tx) =>
      audit(tx, from.stranger, { action: 'login_failed', entity: 'user', entityId: userId, after: { reason } }),
    )

async function enter(
  db: Db,
  tokens: AccessTokens,
  user: Account,
  freshHash: string | undefined,
  from: Origin,
): Promise<LoginAnswer> {
  return db.transaction().execute(async (tx) => {
    // Suspended, deleted or given another password while we were hashing: then the old password opens nothing.
    const before = await tx
      .selectFrom('user')
      .select('last_login')
      .where('id', '=', user.id)
      .where('password_hash', '=', user.password_hash)
      .where('user_status', '=', 'active')
      .where('archived_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!before) throw unauthenticated(LOGIN_REFUSED)
    await tx.updateTable('user').set({ last_login: sql<string>`now()` }).where('id', '=', user.id).execute()
    if (freshHash) await tx.updateTable('user').set({ password_hash: freshHash }).where('id', '=', user.id).execute()
    const session = await openSession(tx, user.id, from)
    const actor = from.actor(user)
    await audit(tx, actor, { action: 'login', entity: 'user', entityId: user.id, label: actor.name })
    const access = await tokens.sign({ id: session.id, userId: user.id })
    const profile = await getUser(tx, user.id)
    return { access, refresh: session.refresh, user: { ...profile, last_login: before.last_login } }
  })
}

/** Guessing the password with a stolen token is throttled like signing in. */
export async function changePassword(
  db: Db,
  throttle: Throttle,
  viewer: Viewer,
  form: z.output<typeof PasswordChange>,
): Promise<undefined> {
  const user = await db
    .selectFrom('user')
    .select(['email', 'password_hash'])
    .where('id', '=', viewer.userId)
    .executeTakeFirstOrThrow()
  const keys = throttle.keys(user.email, viewer.address)
  await hashQueue.run(async () => {
    await throttle.expectOpen(keys)
    if (await matches(form.current_password, user.password_hash)) return
    await throttle.failed(keys)
    throw invalid('current_password', WRONG_CURRENT_PASSWORD)
  })
  const password_hash = await hashPassword(form.new_password, 'new_password')
  await db.transaction().execute(async (tx) => {
    const changed = await tx
      .updateTable('user')
      .set({ password_hash })
      .where('id', '=', viewer.userId)
      .where('password_hash', '=', user.password_hash)
      .executeTakeFirst()
    if (!changed.numUpdatedRows) throw invalid('current_password', WRONG_CURRENT_PASSWORD)
    await endLinks(tx, viewer.userId)
    await revokeSessions(tx, [viewer.userId], 'password_change', viewer.sessionId)
    await audit(tx, viewer, { action: 'change_password', entity: 'user', entityId: viewer.userId, label: viewer.name })
  })
  return undefined
}

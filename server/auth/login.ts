import type { z } from 'zod'
import {
  LOGIN_REFUSED,
  type Login,
  type LoginAnswer,
  type PasswordChange,
  SAME_PASSWORD,
  type SecondStep,
  WRONG_CURRENT_PASSWORD,
} from '#contract/auth.ts'
import type { Db } from '#db/connect.ts'
import { endLinks } from '../access-links/links.ts'
import { audit } from '../audit.ts'
import { invalid, unauthenticated } from '../http/errors.ts'
import { hashQueue } from '../users/hash-queue.ts'
import { hashPassword, isWeak, matches, NOBODY, toPhc } from '../users/passwords.ts'
import { revokeSessions } from '../users/revoke-sessions.ts'
import type { Viewer } from '../viewer.ts'
import { type Account, accounts, enter, lockActive, recordFailure } from './enter.ts'
import type { Origin } from './origin.ts'
import { askSecond, type Doors } from './second-step.ts'
import type { Throttle } from './throttle.ts'
import type { AccessTokens } from './tokens.ts'

/**
 * One answer and one amount of work for a wrong password, an unknown address and an account that may not enter: the
 * status is looked at after the hash, and every refusal counts the same (security 2.4).
 */
export async function login(
  db: Db,
  { throttle, tokens, passkeys }: Doors,
  form: Login,
  from: Origin,
): Promise<LoginAnswer | { second_factor: SecondStep }> {
  const email = form.email.toLowerCase()
  const keys = throttle.keys(email, from.address)
  const { user, refusal, freshHash } = await throttle.guard(keys, async () => {
    const user = await accounts(db).where('email', '=', email).executeTakeFirst()
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
  const account = await strengthen(db, user, freshHash)
  const second_factor = await askSecond(db, account, passkeys)
  // Failures are forgotten by the whole sign-in alone: else a known password would allow any number of codes.
  if (second_factor) return { second_factor }
  const answer = await enterWithPassword(db, tokens, account, from)
  await throttle.succeeded(keys)
  return answer
}

function refusalOf(user: Account | undefined, matched: boolean): string | undefined {
  if (!user) return 'unknown'
  if (!matched) return 'wrong_password'
  return user.user_status === 'active' ? undefined : user.user_status
}

async function enterWithPassword(
  db: Db,
  tokens: AccessTokens,
  { id, password_hash }: Account,
  from: Origin,
): Promise<LoginAnswer> {
  return db.transaction().execute(async (tx) => {
    // Suspended, deleted or given another password while we were hashing: then the old password opens nothing.
    const user = await lockActive(tx, id)
    if (user?.password_hash !== password_hash) throw unauthenticated(LOGIN_REFUSED)
    return enter(tx, tokens, user, from)
  })
}

/** Made with more than the stored one; the account that the next step has to find. */
async function strengthen(db: Db, user: Account, password_hash: string | undefined): Promise<Account> {
  if (password_hash === undefined) return user
  const changed = await db
    .updateTable('user')
    .set({ password_hash })
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .executeTakeFirst()
  return changed.numUpdatedRows ? { ...user, password_hash } : user
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
  const check = async () => {
    if (await matches(form.current_password, user.password_hash)) return
    await throttle.failed(keys)
    throw invalid('current_password', WRONG_CURRENT_PASSWORD)
  }
  await throttle.guard(keys, check, hashQueue)
  if (form.new_password === form.current_password) throw invalid('new_password', SAME_PASSWORD)
  const password_hash = await hashPassword(form.new_password, 'new_password', keys)
  await db.transaction().execute(async (tx) => {
    const changed = await tx
      .updateTable('user')
      .set({ password_hash, password_given: false })
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

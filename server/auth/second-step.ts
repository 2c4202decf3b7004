import type { LoginAnswer, SecondStep } from '#contract/auth.ts'
import type { PasskeyAnswer } from '#contract/proofs.ts'
import { CHALLENGE_OVER, PASSKEY_REFUSED, WRONG_CODE } from '#contract/second-factors.ts'
import type { Db, Tx } from '#db/connect.ts'
import { AppError, unauthenticated } from '../http/errors.ts'
import { ask, find, isOfPassword, take } from '../second-factors/challenges.ts'
import type { Codes } from '../second-factors/codes.ts'
import type { Passkeys } from '../second-factors/passkeys.ts'
import { factorsOf } from '../second-factors/queries.ts'
import { type Account, enter, lockActive, recordFailure } from './enter.ts'
import type { Origin } from './origin.ts'
import type { Throttle } from './throttle.ts'
import type { AccessTokens } from './tokens.ts'

export interface Doors {
  throttle: Throttle
  tokens: AccessTokens
  codes: Codes
  passkeys: Passkeys
}

/** What is still to be shown by a person whose password was right; undefined: nothing. */
export async function askSecond(db: Db, user: Account, passkeys: Passkeys): Promise<SecondStep | undefined> {
  const kinds = new Set((await factorsOf(db, user.id)).map(({ kind }) => kind))
  if (!kinds.size) return undefined
  const challenge = await ask(db, { purpose: 'second', userId: user.id, passwordHash: user.password_hash })
  return {
    challenge,
    methods: [
      ...(kinds.has('totp') ? (['totp'] as const) : []),
      ...(kinds.has('passkey') && passkeys.possible ? (['passkey'] as const) : []),
      'recovery',
    ],
  }
}

const over = () => unauthenticated(CHALLENGE_OVER)

async function findAsked(db: Db | Tx, challenge: string): Promise<number> {
  const asked = await find(db, 'second', challenge)
  const user =
    asked?.user_id && (await db.selectFrom('user').selectAll().where('id', '=', asked.user_id).executeTakeFirst())
  if (!asked || !user || !isOfPassword(asked.password_tag, user.password_hash)) throw over()
  return user.id
}

/**
 * A wrong code is a failed sign-in: it is counted like a wrong password, and a right password alone clears no count. One
 * at a time, as passwords are, so that parallel guesses meet the lock.
 */
export async function loginSecond(
  db: Db,
  { throttle, tokens, codes }: Doors,
  form: { challenge: string; code: string },
  from: Origin,
): Promise<LoginAnswer> {
  const userId = await findAsked(db, form.challenge)
  const { email } = await db.selectFrom('user').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
  const keys = throttle.keys(email, from.address)
  const answer = await throttle.guard(keys, async () => {
    const mayGuess = await throttle.mayGuessCode(`user ${userId}`)
    const answer = await db.transaction().execute(async (tx) => {
      const user = await lockActive(tx, userId)
      if (!user) throw over()
      await findAsked(tx, form.challenge)
      const factor = await factorOf(tx, codes, userId, form.code, mayGuess)
      if (!factor) return undefined
      if (!(await take(tx, 'second', form.challenge))) throw over()
      return enter(tx, tokens, user, from, factor)
    })
    if (!answer) await Promise.all([throttle.failed(keys), throttle.wrongCode(`user ${userId}`)])
    return answer
  })
  if (!answer) {
    await recordFailure(db, from, userId, 'wrong_code')
    throw new AppError(401, 'WRONG_CODE', WRONG_CODE)
  }
  await throttle.succeeded(keys)
  return answer
}

/** Which of the two kinds of code it is. Codes on paper cannot be guessed, and work when too many of the others were. */
export async function factorOf(tx: Tx, codes: Codes, userId: number, code: string, mayGuess: boolean) {
  if (mayGuess && (await codes.takeTotp(tx, userId, code))) return 'totp'
  return (await codes.takeRecovery(tx, userId, code)) ? 'recovery' : undefined
}

/** The device has verified the person, which is as much as password and code. */
export async function loginWithPasskey(
  db: Db,
  { throttle, tokens, passkeys }: Doors,
  answer: PasskeyAnswer,
  from: Origin,
): Promise<LoginAnswer> {
  const checked = throttle.guardToken(from.address, () => passkeys.check(db, answer))
  const userId = await checked.catch(async (error: unknown) => {
    if (error instanceof AppError && error.status === 401) await recordFailure(db, from, null, 'wrong_passkey')
    throw error
  })
  return db.transaction().execute(async (tx) => {
    const user = await lockActive(tx, userId)
    if (!user) throw unauthenticated(PASSKEY_REFUSED)
    return enter(tx, tokens, user, from, 'passkey')
  })
}

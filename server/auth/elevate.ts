import { sql } from 'kysely'
import { type Elevation, type Proof, WRONG_CURRENT_PASSWORD } from '#contract/auth.ts'
import { CONFIRM_WITH_FACTOR, PASSKEY_REFUSED, WRONG_CODE } from '#contract/second-factors.ts'
import type { Db } from '#db/connect.ts'
import { audit } from '../audit.ts'
import { AppError, invalid } from '../http/errors.ts'
import { factorsOf } from '../second-factors/queries.ts'
import { hashQueue } from '../users/hash-queue.ts'
import { matches } from '../users/passwords.ts'
import type { Viewer } from '../viewer.ts'
import { accounts } from './enter.ts'
import { type Doors, factorOf } from './second-step.ts'
import { elevatedUntil } from './sessions.ts'

/** Guessing with a stolen session is throttled like signing in. */
export async function elevate(db: Db, doors: Doors, viewer: Viewer, proof: Proof): Promise<Elevation> {
  const { throttle } = doors
  // A factor is for the day when somebody has the password: it would take the factor away.
  if (proof.password !== undefined && (await factorsOf(db, viewer.userId)).length)
    throw invalid('password', CONFIRM_WITH_FACTOR)
  const user = await accounts(db).where('id', '=', viewer.userId).executeTakeFirstOrThrow()
  const keys = throttle.keys(user.email, viewer.address)
  const check = async () => {
    const refusal = await refusalOf(db, doors, { ...user, sessionId: viewer.sessionId }, proof)
    if (!refusal) return
    await throttle.failed(keys)
    if (proof.code !== undefined) await throttle.wrongCode(`session ${viewer.sessionId}`)
    throw refusal
  }
  await throttle.guard(keys, check, hashQueue)
  return db.transaction().execute(async (tx) => {
    await audit(tx, viewer, { action: 'elevate', entity: 'user', entityId: viewer.userId, label: viewer.name })
    const { until } = await tx
      .updateTable('session')
      .set({ elevated_until: elevatedUntil })
      .where('id', '=', viewer.sessionId)
      .returning(sql<string>`elevated_until`.as('until'))
      .executeTakeFirstOrThrow()
    return { elevated_until: until }
  })
}

type User = { id: number; password_hash: string; sessionId: string }

async function refusalOf(db: Db, { codes, passkeys, throttle }: Doors, user: User, proof: Proof) {
  if (proof.passkey) {
    const owner = await passkeys.check(db, proof.passkey).catch((error: unknown) => {
      // The session is not what is wrong.
      if (error instanceof AppError && error.status === 401) return undefined
      throw error
    })
    return owner === user.id ? undefined : invalid('passkey', PASSKEY_REFUSED)
  }
  if (proof.code !== undefined) {
    const { code } = proof
    const mayGuess = await throttle.mayGuessCode(`session ${user.sessionId}`)
    const factor = await db.transaction().execute((tx) => factorOf(tx, codes, user.id, code, mayGuess))
    return factor ? undefined : invalid('code', WRONG_CODE)
  }
  const isRight = await matches(proof.password ?? '', user.password_hash)
  return isRight ? undefined : invalid('password', WRONG_CURRENT_PASSWORD)
}

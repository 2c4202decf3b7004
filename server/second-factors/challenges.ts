import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { hashToken, newSecretToken } from '../auth/tokens.ts'

/** What waits for an answer, and for whose. */
export interface Challenge {
  purpose: 'second' | 'passkey' | 'register'
  userId?: number
  passwordHash?: string
  nonce?: string
}

const MINUTES = 5

/** So that another password in between ends a sign-in that began with the one before. */
const tagOf = (passwordHash: string): Buffer => createHash('sha256').update(passwordHash).digest()

/** The token that names the question from now on; only its hash is kept. */
export async function ask(db: Db | Tx, { purpose, userId, passwordHash, nonce }: Challenge): Promise<string> {
  const token = newSecretToken()
  await db.deleteFrom('challenge').where('expires_at', '<', sql<string>`now()`).execute()
  await db
    .insertInto('challenge')
    .values({
      token_hash: hashToken(token),
      purpose,
      user_id: userId ?? null,
      password_tag: passwordHash === undefined ? null : tagOf(passwordHash),
      nonce: nonce ?? null,
      expires_at: sql<string>`now() + make_interval(mins => ${MINUTES}::int)`,
    })
    .execute()
  return token
}

/** The question, which waits on: a mistyped code may be typed again. */
export const find = (db: Db | Tx, purpose: Challenge['purpose'], token: string) =>
  db
    .selectFrom('challenge')
    .select(['user_id', 'password_tag'])
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()

/** The question, which is answered by that; of two answers at once one finds it. */
export const take = (db: Db | Tx, purpose: Challenge['purpose'], token: string) =>
  db
    .deleteFrom('challenge')
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<string>`now()`)
    .returning(['user_id', 'nonce'])
    .executeTakeFirst()

export const isOfPassword = (tag: Buffer | null, passwordHash: string): boolean =>
  tag?.equals(tagOf(passwordHash)) ?? false

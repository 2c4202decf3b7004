import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Role } from '#contract/roles.ts'
import type { Db } from '#db/connect.ts'
import { deriveKey } from '../auth/tokens.ts'
import type { Viewer } from '../viewer.ts'
import { AppError, badRequest } from './errors.ts'
import type { Reply } from './http.ts'

interface Claim {
  user_id: number
  key: string
  endpoint: string
  fingerprint: Buffer
}

/**
 * For whom an Idempotency-Key holds (D27). Nobody at public endpoints, since the answer to a sign-in holds tokens, which must
 * not be stored; nobody with a file, whose bytes do not tell two requests apart.
 */
export function keyHolders({ method, access, repeatable, upload }: Endpoint): readonly Role[] {
  if (method !== 'POST' || upload || !Array.isArray(access)) return []
  return repeatable ? access : access.filter((role) => role === 'admin')
}

type Once = (viewer: Viewer, request: FastifyRequest, run: () => Promise<Reply>) => Promise<Reply>

/**
 * Runs a POST at most once per user and Idempotency-Key within 24 hours (D27): the same request again gets the stored
 * answer. A refused request stores nothing, so the corrected form may carry the same key. The answer is stored after
 * the work is committed; should the process die between the two, the key frees after a minute and the constraints
 * refuse the second row: where two alike may be meant, by the key itself (`requestKey`). Nothing refuses a second receiver or
 * rate that is sent again after such a death.
 */
export function createOnce(db: Db, secret: string): Once {
  const fingerprintKey = deriveKey(secret, 'idempotency')
  return async (viewer, request, run) => {
    const claim = claimOf(viewer, request, fingerprintKey)
    const since = await take(db, claim)
    if (!since) return findAnswer(db, claim)
    const log = (err: unknown) => request.log.error({ err }, 'idempotency key not settled; it frees after a minute')
    const answer = await run().catch(async (error: unknown) => {
      await release(db, claim, since).catch(log)
      throw error
    })
    // The work is done and must be answered as such, even if the answer cannot be stored.
    await store(db, claim, since, answer).catch(log)
    return answer
  }
}

/** For the row that a request writes, where no other constraint tells a repetition from another one like it. */
export function requestKey({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key']
  return key === undefined ? null : String(key)
}

const SENT_BEFORE =
  'Lo que enviaste antes ya se registró o se está registrando. Revisa la lista antes de enviar algo distinto.'

/** The key was used with another body or address: nobody heard what became of a form, and then its fields were changed. */
export const otherRequest = () => new AppError(422, 'IDEMPOTENCY_MISMATCH', SENT_BEFORE)

function claimOf(viewer: Viewer, request: FastifyRequest, fingerprintKey: Uint8Array): Claim {
  const key = requestKey(request) ?? ''
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw badRequest('La cabecera Idempotency-Key no es válida')
  const endpoint = `${request.method} ${request.url.split('?')[0]?.replace(/\/$/, '')}`
  // A keyed hash: the body may hold a password, which could be guessed from a plain hash in the table.
  const fingerprint = createHmac('sha256', fingerprintKey)
    .update(JSON.stringify(request.body ?? null))
    .digest()
  return { user_id: viewer.userId, key, endpoint, fingerprint }
}

/** The time of our claim; undefined when another request holds the key or has been answered. */
async function take(db: Db, claim: Claim): Promise<string | undefined> {
  await db.deleteFrom('idempotency').where('created_at', '<', sql<string>`now() - interval '24 hours'`).execute()
  const taken = await db
    .insertInto('idempotency')
    .values(claim)
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'key'])
        .doUpdateSet({ created_at: sql`now()`, endpoint: claim.endpoint, fingerprint: claim.fingerprint })
        .where('idempotency.status', 'is', null)
        .where('idempotency.created_at', '<', sql<string>`now() - interval '1 minute'`),
    )
    .returning('created_at')
    .executeTakeFirst()
  return taken?.created_at
}

async function store(db: Db, { user_id, key }: Claim, since: string, answer: Reply): Promise<void> {
  await db
    .updateTable('idempotency')
    .set({ status: answer.status, body: answer.body ? JSON.stringify(answer.kept ?? answer.body) : null })
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .where('created_at', '=', since)
    .execute()
}

async function release(db: Db, { user_id, key }: Claim, since: string): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .where('created_at', '=', since)
    .execute()
}

async function findAnswer(db: Db, claim: Claim): Promise<Reply> {
  const stored = await db
    .selectFrom('idempotency')
    .selectAll()
    .where('user_id', '=', claim.user_id)
    .where('key', '=', claim.key)
    .executeTakeFirst()
  if (stored && (stored.endpoint !== claim.endpoint || !claim.fingerprint.equals(stored.fingerprint)))
    throw otherRequest()
  // No row: the first request was refused just now.
  if (!stored?.status)
    throw new AppError(409, 'IN_PROGRESS', 'La misma solicitud todavía se está procesando', { retryAfter: 1 })
  const body = stored.body === null ? undefined : JSON.parse(stored.body)
  return { status: stored.status, body, headers: { 'idempotency-replayed': 'true' } }
}

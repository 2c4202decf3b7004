import { CompiledQuery } from 'kysely'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { TOO_MANY_ATTEMPTS } from '#contract/auth.ts'
import type { Db } from '#db/connect.ts'
import { rateLimited } from '../http/limits.ts'

export function counter(
  db: Db,
  keyPrefix: string,
  points: number,
  duration: number,
  sweeps = false,
): RateLimiterPostgres {
  return new RateLimiterPostgres({
    // The application's own pool and its role, which may not create tables.
    storeClient: { query: (query: { text: string; values: unknown[] }) => run(db, query) },
    storeType: 'client',
    tableName: 'throttle',
    tableCreated: true,
    // One limiter deletes expired rows for all of them.
    clearExpiredByTimeout: sweeps,
    keyPrefix,
    points,
    duration,
  })
}

async function run(db: Db, { text, values }: { text: string; values: unknown[] }) {
  const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, values))
  return { rows, rowCount: Number(numAffectedRows ?? rows.length) }
}

export async function countIn(limiter: RateLimiterPostgres, key: string, allowed: number): Promise<void> {
  const counted = await limiter.penalty(key)
  if (counted.consumedPoints > allowed) throw rateLimited(counted.msBeforeNext, TOO_MANY_ATTEMPTS)
}

/** What a limiter throws; of a wait that ends this moment, too. */
export const tooSoon = (taken: unknown): unknown =>
  taken instanceof RateLimiterRes ? rateLimited(taken.msBeforeNext, TOO_MANY_ATTEMPTS) : taken

export function expectOver(...refusals: (RateLimiterRes | null)[]): void {
  const wait = Math.max(...refusals.map((refusal) => refusal?.msBeforeNext ?? 0))
  if (wait > 0) throw rateLimited(wait, TOO_MANY_ATTEMPTS)
}

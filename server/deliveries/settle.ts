import { sql } from 'kysely'
import type { DeliveryDetail } from '#contract/deliveries.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Outcome } from './dial.ts'
import type { Job } from './facts.ts'
import { announce } from './occurrences.ts'
import { FAILING_AFTER, isGood, PAUSED_AFTER_HOURS, probeDelay, type Verdict, verdictOf } from './schedule.ts'

export interface Sent {
  request_url: string
  request_body: string | null
}

const GONE = 410

/** What is kept of an attempt once the person whom it tells of is erased. */
export const NO_TEXTS = { request_url: '', request_body: null, answer: null }

/** Notes an attempt and what follows from it, all in one transaction. Undefined when another copy has noted it already. */
export async function settle(db: Db, job: Job, sent: Sent, outcome: Outcome): Promise<Verdict['state'] | undefined> {
  return db.transaction().execute(async (tx) => {
    const number = job.attempts + 1
    const verdict = job.is_test ? testVerdict(outcome) : verdictOf(number - job.attempts_before, outcome)
    const moved = await moveOn(tx, job, number, verdict)
    if (!moved) return undefined
    const { ms, status, error, peer, answer } = outcome
    const texts = moved.is_erased ? NO_TEXTS : { ...sent, answer }
    await tx
      .insertInto('delivery_attempt')
      .values({ delivery_id: job.id, number, ms, status, error, peer, ...texts })
      .execute()
    if (!job.is_test) await (isGood(outcome) ? noteGood(tx, job.receiver_id) : noteBad(tx, job, outcome))
    return verdict.state
  })
}

/** Tried once, for the person who waits for it. */
const testVerdict = (outcome: Outcome): Verdict =>
  isGood(outcome) ? { state: 'delivered' } : { state: 'failed', reason: 'attempts' }

/** Nothing when another copy has noted the attempt. */
async function moveOn(tx: Tx, job: Job, number: number, verdict: Verdict): Promise<{ is_erased: boolean } | undefined> {
  const isWaiting = verdict.state === 'waiting'
  return tx
    .updateTable('delivery')
    .set({
      state: verdict.state,
      reason: verdict.state === 'failed' ? verdict.reason : null,
      attempts: number,
      claimed_until: null,
      ...(isWaiting
        ? { next_at: sql<string>`now() + make_interval(secs => ${verdict.delaySeconds})` }
        : { settled_at: sql<string>`now()` }),
    })
    .where('id', '=', job.id)
    .where('attempts', '=', job.attempts)
    .where('state', '=', 'waiting')
    .returning('is_erased')
    .executeTakeFirst()
}

/** What waited for a receiver that failed goes out now, at its pace. */
async function noteGood(tx: Tx, receiverId: number): Promise<void> {
  // Not each time: its row would be written as often as it is called.
  const stale = sql<boolean>`(failures > 0 or last_ok_at is null or last_ok_at < now() - interval '10 seconds')`
  const before = await tx
    .selectFrom('receiver')
    .select('state')
    .where('id', '=', receiverId)
    .where(stale)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!before) return
  await tx
    .updateTable('receiver')
    .set({
      ...{ failures: 0, failing_since: null, last_ok_at: sql<string>`now()` },
      ...(before.state === 'failing' && { state: 'active', rest_until: sql<string>`now()` }),
    })
    .where('id', '=', receiverId)
    .execute()
  if (before.state === 'failing') await hasten(tx, receiverId)
}

async function noteBad(tx: Tx, job: Job, { status }: Outcome): Promise<void> {
  const receiverId = job.receiver_id
  const receiver = await tx
    .selectFrom('receiver')
    .select([
      'affiliate_id',
      'issuer_id',
      'state',
      'failures',
      sql<boolean>`failing_since < now() - make_interval(hours => ${PAUSED_AFTER_HOURS})`.as('isLong'),
    ])
    .where('id', '=', receiverId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (receiver.state === 'paused') return
  // What was under way at the same time is one failure: else an outage of a moment would have it rest for long.
  const failures = Math.max(receiver.failures, job.failures + 1)
  const reason = status === GONE ? 'gone' : receiver.isLong ? 'failures' : null
  const state = reason ? 'paused' : failures >= FAILING_AFTER ? 'failing' : receiver.state
  await tx
    .updateTable('receiver')
    .set({
      ...{ failures, reason, state, failing_since: sql<string>`coalesce(failing_since, now())` },
      paused_at: reason && sql<string>`now()`,
      ...(state === 'failing' && { rest_until: sql<string>`now() + make_interval(secs => ${probeDelay(failures)})` }),
    })
    .where('id', '=', receiverId)
    .execute()
  if (state === receiver.state) return
  const { affiliate_id, issuer_id } = receiver
  const type = state === 'paused' ? 'receiver.paused' : 'receiver.failing'
  await announce(tx, type, { affiliate_id, issuer_id, receiver_id: receiverId })
}

/** All that waits is due; what is being noted at this moment goes its own way. */
export async function hasten(tx: Tx, receiverId: number): Promise<void> {
  await tx
    .updateTable('delivery')
    .set({ next_at: sql<string>`now()` })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('delivery')
        .select('id')
        .where('receiver_id', '=', receiverId)
        .where('state', '=', 'waiting')
        .where('next_at', '>', sql<string>`now()`)
        .forUpdate()
        .skipLocked(),
    )
    .execute()
}

/** Ends it without an attempt. */
export async function giveUp<S extends 'skipped' | 'failed'>(
  db: Db | Tx,
  id: string,
  state: S,
  reason: NonNullable<DeliveryDetail['reason']>,
): Promise<S> {
  await db
    .updateTable('delivery')
    .set({ state, reason, claimed_until: null, settled_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
  return state
}

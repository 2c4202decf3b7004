import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import type { DeliveryVerdict, Measures } from '../monitoring/measures.ts'
import { LoopLag, Rest } from './busy.ts'
import type { Dialer, Outcome } from './dial.ts'
import { type Job, readJobs } from './facts.ts'
import { draw, drawTest, maskUrl, signed } from './render.ts'
import type { ReceiverSecrets } from './secrets.ts'
import { giveUp, settle } from './settle.ts'

type Lane = 'well' | 'failing'
/** Calls begun in the last second, by whether their receiver answered well the last time. One that hangs keeps no place. */
const SLOTS: Record<Lane, number> = { well: 256, failing: 64 }
/** All that wait for an answer. */
const OPEN_MAX: Record<Lane, number> = { well: 2_048, failing: 512 }
const PLACE_MS = 1_000
/** In one round: drawing and signing many in a row would be felt by a click. */
const AT_ONCE = 64
/** After so long the copy that claimed it is taken for dead; renewed while a call lasts. */
const LEASE_SECONDS = 10
const RENEW_MS = 2_000
const FAN_OUT_IDS = 5_000
const PAUSE_MS = 500
const BUSY_PAUSE_MS = 50
/** A few: the connections of screens, clicks and events are other ones. */
export const DELIVERIES_POOL = { max: 3 }

/** The next deliveries of what happened; returns how many ids it went through. */
export async function fanOut(db: Db, ids = FAN_OUT_IDS): Promise<number> {
  const { rows } = await sql<{ ids: number }>`select fan_out(${ids}) as ids`.execute(db)
  return rows[0]?.ids ?? 0
}

interface Wanted {
  atMost: number
  isFailing: boolean
  /** The receiver of each call under way. */
  underWay?: number[]
}

export async function claim(db: Db | Tx, { atMost, isFailing, underWay = [] }: Wanted): Promise<Job[]> {
  if (atMost <= 0) return []
  const { rows } = await sql<{ id: string }>`
    select claim_deliveries(${atMost}, ${isFailing}, ${underWay}::bigint[], ${lease}) as id`.execute(db)
  return rows.length
    ? readJobs(
        db,
        rows.map(({ id }) => id),
      )
    : []
}

const lease = sql`make_interval(secs => ${LEASE_SECONDS})`
const isClaimed = (calls: Call[]) =>
  sql`id = any(${calls.map(({ job }) => job.id)}::uuid[]) and state = 'waiting' and claimed_until is not null`

async function renew(db: Db, calls: Call[]): Promise<void> {
  if (!calls.length) return
  await sql`update delivery set claimed_until = now() + ${lease} where ${isClaimed(calls)}`.execute(db)
}

/** What was claimed and came to nothing is due again at once, for the next start or another copy. */
async function release(db: Db, calls: Call[]): Promise<void> {
  if (!calls.length) return
  await sql`with released as (
      update delivery set claimed_until = null where ${isClaimed(calls)} returning receiver_id)
    update receiver set rest_until = now() from released where id = receiver_id and state = 'failing'`.execute(db)
}

interface Call {
  job: Job
  lane: Lane
  /** As performance.now() gives it. */
  began: number
  done: Promise<void>
}

interface Parts {
  db: Db
  dialer: Dialer
  secrets: ReceiverSecrets
  /** Of what is noted later: the delivery falls due again. */
  report: (error: unknown) => void
  measures?: Measures
}

/** Makes deliveries and sends them, without waiting for slow receivers before the next are claimed. */
export class Sender {
  readonly #parts: Parts
  readonly #closing = new AbortController()
  readonly #calls = new Set<Call>()
  readonly #lag = new LoopLag()
  readonly #rest = new Rest()
  #renewed = performance.now()
  #claimed = 0
  /** Gone through in one call: fewer after one that failed, perhaps since it was too much at once. */
  #ids = FAN_OUT_IDS

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** One round; returns the pause before the next, in ms. `failed` is told why nothing can be made of what happened. */
  async run(failed: (error: unknown) => void): Promise<number> {
    await this.#renew()
    // What was made before does not wait for what cannot be made.
    const isFull = await this.#fanOut().catch((error: unknown) => {
      failed(error)
      return false
    })
    if (this.#rest.isDue(this.#lag.read())) return PAUSE_MS
    await this.#sendDue()
    // Receivers rest for a moment after each claim, to keep their pace.
    const isBusy = isFull || performance.now() - this.#claimed < PAUSE_MS
    return isBusy ? BUSY_PAUSE_MS : PAUSE_MS
  }

  /** Whether there may be more. */
  async #fanOut(): Promise<boolean> {
    const ids = this.#ids
    this.#ids = Math.ceil(ids / 10)
    const made = await fanOut(this.#parts.db, ids)
    this.#ids = Math.min(FAN_OUT_IDS, ids * 2)
    return made === ids
  }

  async #sendDue(): Promise<void> {
    for (const lane of ['well', 'failing'] as const) {
      const jobs = await claim(this.#parts.db, {
        atMost: this.#roomOf(lane),
        isFailing: lane === 'failing',
        underWay: [...this.#calls].map(({ job }) => job.receiver_id),
      })
      if (jobs.length) this.#claimed = performance.now()
      for (const job of jobs) this.#start(job, lane)
    }
  }

  #roomOf(lane: Lane): number {
    const calls = [...this.#calls].filter((call) => call.lane === lane)
    const recent = calls.filter(({ began }) => performance.now() - began < PLACE_MS)
    return Math.min(AT_ONCE, SLOTS[lane] - recent.length, OPEN_MAX[lane] - calls.length)
  }

  async #renew(): Promise<void> {
    const now = performance.now()
    if (now - this.#renewed < RENEW_MS) return
    this.#renewed = now
    await renew(this.#parts.db, [...this.#calls])
  }

  #start(job: Job, lane: Lane): void {
    const call: Call = { job, lane, began: performance.now(), done: Promise.resolve() }
    this.#calls.add(call)
    call.done = attempt(this.#parts, job, this.#closing.signal)
      .then((verdict) => verdict && this.#parts.measures?.delivery(verdict))
      .catch((error) => {
        if (!this.#closing.signal.aborted) this.#parts.report(error)
      })
      .finally(() => this.#calls.delete(call))
  }

  /** Calls under way are given up, and fall due again. */
  async close(): Promise<void> {
    const calls = [...this.#calls]
    this.#closing.abort()
    this.#lag.close()
    await Promise.all(calls.map(({ done }) => done))
    await release(this.#parts.db, calls).catch(this.#parts.report)
  }
}

/** One attempt of a delivery, and its note: what became of it. */
export async function attempt(
  { db, dialer, secrets }: Pick<Parts, 'db' | 'dialer' | 'secrets'>,
  job: Job,
  closing?: AbortSignal,
): Promise<DeliveryVerdict | undefined> {
  if (!job.is_known) return giveUp(db, job.id, 'failed', 'erased')
  if (job.skip_without_external_id && job.tracking_id !== null && !job.external_id)
    return giveUp(db, job.id, 'skipped', 'no_external_id')
  const drawn = job.is_test ? drawTest(job.at, job, job) : draw(job, job, job)
  const opened = secrets.open(job)
  const outcome = opened ? await dialer.dial(signed(drawn, job, opened, Date.now()), closing) : unsigned
  return settle(db, job, { request_url: maskUrl(drawn.url), request_body: drawn.body }, outcome)
}

const unsigned: Outcome = { status: null, error: 'secret', ms: 0, peer: null, answer: null, retryAfter: null }

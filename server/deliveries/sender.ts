import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import type { Dialer, Outcome } from './dial.ts'
import { type Job, readJobs } from './facts.ts'
import { draw, drawTest, maskUrl, signed } from './render.ts'
import type { ReceiverSecrets } from './secrets.ts'
import { giveUp, settle } from './settle.ts'

/** Calls at the same time, and how many of them may be to receivers that did not answer well the last time. */
const SLOTS = { well: 96, failing: 32 }
/** Longer than a call may take: then the copy that claimed it is taken for dead. */
const LEASE_SECONDS = 45
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

export async function claim(db: Db | Tx, atMost: number, isFailing: boolean): Promise<Job[]> {
  if (atMost <= 0) return []
  const { rows } = await sql<{ id: string }>`
    select claim_deliveries(${atMost}, ${isFailing}, make_interval(secs => ${LEASE_SECONDS})) as id`.execute(db)
  return rows.length
    ? readJobs(
        db,
        rows.map(({ id }) => id),
      )
    : []
}

interface Parts {
  db: Db
  dialer: Dialer
  secrets: ReceiverSecrets
  /** Of what is noted later: the delivery falls due again. */
  report: (error: unknown) => void
}

/** Makes deliveries and sends them, without waiting for slow receivers before the next are claimed. */
export class Sender {
  readonly #parts: Parts
  readonly #closing = new AbortController()
  readonly #calls = { well: new Set<Promise<void>>(), failing: new Set<Promise<void>>() }

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** One round; returns the pause before the next, in ms. */
  async run(): Promise<number> {
    const { db } = this.#parts
    const ids = await fanOut(db)
    let claimed = 0
    for (const lane of ['well', 'failing'] as const) {
      const calls = this.#calls[lane]
      const jobs = await claim(db, SLOTS[lane] - calls.size, lane === 'failing')
      claimed += jobs.length
      for (const job of jobs) this.#start(job, calls)
    }
    return ids === FAN_OUT_IDS || claimed > 0 ? BUSY_PAUSE_MS : PAUSE_MS
  }

  #start(job: Job, calls: Set<Promise<void>>): void {
    const call = this.#send(job)
      .catch((error) => {
        if (!this.#closing.signal.aborted) this.#parts.report(error)
      })
      .finally(() => calls.delete(call))
    calls.add(call)
  }

  async #send(job: Job): Promise<void> {
    await attempt(this.#parts, job, this.#closing.signal)
  }

  /** Calls under way are given up, and fall due again. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all([...this.#calls.well, ...this.#calls.failing])
  }
}

/** One attempt of a delivery, and its note. */
export async function attempt(
  { db, dialer, secrets }: Omit<Parts, 'report'>,
  job: Job,
  closing?: AbortSignal,
): Promise<void> {
  if (!job.is_known) return giveUp(db, job.id, 'failed', 'erased')
  if (job.skip_without_external_id && job.tracking_id !== null && !job.external_id)
    return giveUp(db, job.id, 'skipped', 'no_external_id')
  const drawn = job.is_test ? drawTest(job.at, job, job) : draw(job, job, job)
  const opened = secrets.open(job)
  const outcome = opened ? await dialer.dial(signed(drawn, job, opened, Date.now()), closing) : unsigned
  await settle(db, job, { request_url: maskUrl(drawn.url), request_body: drawn.body }, outcome)
}

const unsigned: Outcome = { status: null, error: 'secret', ms: 0, peer: null, answer: null, retryAfter: null }

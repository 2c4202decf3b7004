import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { messageOf } from '#db/operator-error.ts'
import { endPool, openPool } from '#db/pool.ts'
import { isDatabaseAway, refusesValues, unavailable } from '../http/errors.ts'
import { copyLeads, insertLeads, type LeadRecord } from './lead-rows.ts'

interface Waiting {
  lead: LeadRecord
  /** Of the clock that nobody can set, as all times here. */
  deadline: number
  /** Answered, or passed to `late`: a statement in flight may still store it, but it is not retried. */
  done: boolean
  resolve: () => void
  reject: (error: unknown) => void
}

export interface Limits {
  /** Rows of one statement. */
  batch: number
  /** Statements at the same time. */
  inFlight: number
  /** Leads that may wait; any more are late at once. */
  queue: number
  deadlineMs: number
}

const DEFAULTS: Limits = { batch: 500, inFlight: 2, queue: 10_000, deadlineMs: 300 }
const ATTEMPT_MS = 1_000
const RETRY_PAUSE = 50
/** Leads whose deadlines are this close are late together. */
const TOGETHER_MS = 5
/** While a batch larger than this is in flight, the next waits to fill: every statement has a fixed cost. */
const BATCH_WAIT_ROWS_MIN = 12
/** After this wait it is sent anyway: the one in flight hangs. */
const BATCH_WAIT_MS_MAX = 10

interface Hooks {
  /** Takes a lead that the database has not stored in time. */
  late: (lead: LeadRecord) => Promise<void>
  /** A batch is committed, `seconds` after it was sent. */
  onStored?: (leads: number, seconds: number) => void
  /**
   * COPY failed, for the first time since it last worked; until it works again every lead costs more. Only the message:
   * the error also holds the row, which must not reach a log.
   */
  onRefused?: (why: string) => void
}

const refuse: Hooks = { late: () => Promise.reject(unavailable()) }

/**
 * Many clicks, one statement. In light traffic each click has its own; in heavy traffic, clicks that arrive while a large
 * statement is in flight share the next one. Each is answered only after its COMMIT.
 */
export class GroupCommit {
  readonly #pool: pg.Pool
  readonly #limits: Limits
  readonly #hooks: Hooks
  readonly #sent = new Set<Waiting[]>()
  #waiting: Waiting[] = []
  #scheduled = false
  #refused = false
  #expiry: NodeJS.Timeout | undefined
  #batchWait: NodeJS.Timeout | undefined

  constructor(databaseUrl: string, limits: Partial<Limits> = {}, hooks: Hooks = refuse) {
    this.#limits = { ...DEFAULTS, ...limits }
    this.#hooks = hooks
    this.#pool = openPool(databaseUrl, {
      max: this.#limits.inFlight,
      min: this.#limits.inFlight,
      role: 'afluente_app',
      applicationName: 'afluente clicks',
      statementTimeoutMs: ATTEMPT_MS,
      connectionTimeoutMs: ATTEMPT_MS,
    })
  }

  /** Resolves when the lead is committed; after the deadline, settles as `late` does. */
  store(lead: LeadRecord): Promise<void> {
    if (this.#waiting.length >= this.#limits.queue) return this.#hooks.late(lead)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ lead, deadline: performance.now() + this.#limits.deadlineMs, done: false, resolve, reject })
      if (!this.#expiry) this.#watch()
      this.#schedule()
    })
  }

  close(): Promise<void> {
    return endPool(this.#pool)
  }

  #schedule(): void {
    if (this.#sent.size >= this.#limits.inFlight || this.#scheduled) return
    this.#scheduled = true
    // After the pending input, so that requests read in one turn of the event loop share a statement.
    setImmediate(() => {
      this.#scheduled = false
      this.#send()
    })
  }

  #send(): void {
    if (!this.#waiting.length || this.#sent.size >= this.#limits.inFlight || this.#isTooSoon()) return
    const batch = this.#waiting.splice(0, this.#limits.batch)
    this.#sent.add(batch)
    this.#storeAll(batch).finally(() => {
      this.#sent.delete(batch)
      this.#schedule()
    })
    this.#schedule()
  }

  /** Whether to wait for more leads; a timer limits the wait. */
  #isTooSoon(): boolean {
    const largest = Math.max(0, ...Array.from(this.#sent, (batch) => batch.length))
    const [oldest] = this.#waiting
    if (!oldest || largest <= BATCH_WAIT_ROWS_MIN || this.#waiting.length >= largest) return false
    const waitMs = oldest.deadline - this.#limits.deadlineMs + BATCH_WAIT_MS_MAX - performance.now()
    if (waitMs <= 0) return false
    this.#batchWait ??= setTimeout(() => {
      this.#batchWait = undefined
      this.#send()
    }, waitMs).unref()
    return true
  }

  /** `again`: some may be in the database already, by a COMMIT without an answer or through the spool. */
  async #storeAll(batch: Waiting[], again = false): Promise<void> {
    let left = batch
    while (left.length) {
      const sent = performance.now()
      try {
        const write = again ? insertLeads : copyLeads
        await write(this.#pool, leadsOf(left), ATTEMPT_MS + 500)
        if (!again) this.#refused = false
        this.#hooks.onStored?.(left.length, (performance.now() - sent) / 1000)
        this.#sendAndSettle(batch, left)
        return
      } catch (error) {
        if (again && refusesValues(error)) left = await this.#halve(left)
        else if (again || isDatabaseAway(error)) left = await afterPause(left)
        else this.#reportRefusal(error)
        again = true
      }
    }
  }

  /** Sends the next statement before answering these, so that PostgreSQL works while we write the answers. */
  #sendAndSettle(batch: Waiting[], stored: Waiting[]): void {
    this.#sent.delete(batch)
    this.#send()
    // The pool sends a statement in the next tick; this runs in the one after it.
    process.nextTick(() => stored.forEach(settle))
  }

  #reportRefusal(error: unknown): void {
    if (!this.#refused) this.#hooks.onRefused?.(messageOf(error))
    this.#refused = true
  }

  /** One row that the database refuses must not fail its neighbours. */
  async #halve(batch: Waiting[]): Promise<Waiting[]> {
    const [first, second] = batch
    if (first && !second) {
      this.#handOver(first)
      return []
    }
    const half = Math.ceil(batch.length / 2)
    await this.#storeAll(batch.slice(0, half), true)
    return batch.slice(half)
  }

  /** One timer for all deadlines, off when no lead waits: a click stored in time only checks that it runs. */
  #watch(): void {
    const oldest = [...this.#sent, this.#waiting].flatMap((batch) => batch.find(({ done }) => !done)?.deadline ?? [])
    if (!oldest.length) return
    this.#expiry = setTimeout(
      () => {
        this.#expiry = undefined
        this.#handOverLate()
        this.#watch()
      },
      Math.max(0, Math.min(...oldest) - performance.now()),
    ).unref()
  }

  #handOverLate(): void {
    const end = performance.now() + TOGETHER_MS
    for (const each of [...this.#sent, this.#waiting].flat())
      if (!each.done && each.deadline <= end) this.#handOver(each)
    this.#waiting = this.#waiting.filter(({ done }) => !done)
  }

  #handOver(waiting: Waiting): void {
    waiting.done = true
    this.#hooks.late(waiting.lead).then(waiting.resolve, waiting.reject)
  }
}

function settle(waiting: Waiting): void {
  waiting.done = true
  waiting.resolve()
}

const leadsOf = (batch: Waiting[]): LeadRecord[] => batch.map(({ lead }) => lead)

async function afterPause(batch: Waiting[]): Promise<Waiting[]> {
  await wait(RETRY_PAUSE)
  return batch.filter(({ done }) => !done)
}

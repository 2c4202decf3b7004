import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { messageOf } from '#db/operator-error.ts'
import { endPool, openPool } from '#db/pool.ts'
import { isDatabaseAway, unavailable } from '../http/errors.ts'
import { copyLeads, insertLeads, type LeadRecord } from './lead-rows.ts'

interface Waiting {
  lead: LeadRecord
  deadline: number
  /** Answered, or given to somebody else: a statement under way may still store it, but it is not tried again. */
  done: boolean
  resolve: () => void
  reject: (error: unknown) => void
}

export interface Limits {
  /** Rows of one statement. */
  batch: number
  /** Statements at the same time. */
  inFlight: number
  /** Leads that may wait; one more is late at once. */
  queue: number
  deadlineMs: number
}

const DEFAULTS: Limits = { batch: 500, inFlight: 2, queue: 10_000, deadlineMs: 300 }
const ATTEMPT_MS = 1_000
const RETRY_PAUSE = 50
/** Leads whose time is up within these milliseconds go together. */
const TOGETHER_MS = 5
/** A statement has its price however few rows it holds: beside one of more than so many, no smaller one leaves ... */
const FEW = 12
/** ... unless its leads have waited so long already: the other one hangs. */
const PATIENCE_MS = 10

interface Hooks {
  /** What becomes of a lead that the database has not taken in time. */
  late: (lead: LeadRecord) => Promise<void>
  /** A batch is in the database, so long after it was sent. */
  onStored?: (leads: number, seconds: number) => void
  /**
   * COPY is refused, for the first time since it last worked: every lead costs more until it works again. Its words alone:
   * the error names the row, too, which is not for a log.
   */
  onRefused?: (why: string) => void
}

const refuse: Hooks = { late: () => Promise.reject(unavailable()) }

/**
 * Many clicks, one statement. Under little traffic a click is alone in its statement; under much, those that arrive while
 * a large one is on its way wait for the next one. Each is answered only after the COMMIT that holds it.
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
  #impatience: NodeJS.Timeout | undefined

  constructor(databaseUrl: string, limits: Partial<Limits> = {}, hooks: Hooks = refuse) {
    this.#limits = { ...DEFAULTS, ...limits }
    this.#hooks = hooks
    this.#pool = openPool(databaseUrl, {
      max: this.#limits.inFlight,
      role: 'afluente_app',
      applicationName: 'afluente clicks',
      statementTimeoutMs: ATTEMPT_MS,
      connectionTimeoutMs: ATTEMPT_MS,
    })
  }

  /** Settles when the lead is in the database for good, or as `late` says when that took too long. */
  store(lead: LeadRecord): Promise<void> {
    if (this.#waiting.length >= this.#limits.queue) return this.#hooks.late(lead)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ lead, deadline: Date.now() + this.#limits.deadlineMs, done: false, resolve, reject })
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
    // After the input at hand, so that requests read in one turn share a statement.
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

  /** Whether more leads are worth waiting for; if so, a timer sees to it that they are not waited for long. */
  #isTooSoon(): boolean {
    const largest = Math.max(0, ...Array.from(this.#sent, (batch) => batch.length))
    const [oldest] = this.#waiting
    if (!oldest || largest <= FEW || this.#waiting.length >= largest) return false
    const patience = oldest.deadline - this.#limits.deadlineMs + PATIENCE_MS - Date.now()
    if (patience <= 0) return false
    this.#impatience ??= setTimeout(() => {
      this.#impatience = undefined
      this.#send()
    }, patience).unref()
    return true
  }

  /** `again` when some may be in the database: a COMMIT that went unanswered, a lead that was late and came by the spool. */
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
        if (isDatabaseAway(error)) left = await afterPause(left)
        else if (again) left = await this.#halve(left, error)
        else this.#tellRefusal(error)
        again = true
      }
    }
  }

  /** The next statement leaves before these are answered, so that PostgreSQL works while we write to the visitors. */
  #sendAndSettle(batch: Waiting[], stored: Waiting[]): void {
    this.#sent.delete(batch)
    this.#send()
    // The pool hands a statement over in the next tick, this in the one after it.
    process.nextTick(() => stored.forEach(settle))
  }

  #tellRefusal(error: unknown): void {
    if (!this.#refused) this.#hooks.onRefused?.(messageOf(error))
    this.#refused = true
  }

  /** One row that the database refuses must not take its neighbours along. */
  async #halve(batch: Waiting[], error: unknown): Promise<Waiting[]> {
    const [first, second] = batch
    if (first && !second) {
      first.done = true
      first.reject(error)
      return []
    }
    const half = Math.ceil(batch.length / 2)
    await this.#storeAll(batch.slice(0, half), true)
    return batch.slice(half)
  }

  /** One timer for all, asleep when nobody waits: a click that is stored in time costs a look at whether it runs. */
  #watch(): void {
    const oldest = [...this.#sent, this.#waiting].flatMap((batch) => batch.find(({ done }) => !done)?.deadline ?? [])
    if (!oldest.length) return
    this.#expiry = setTimeout(
      () => {
        this.#expiry = undefined
        this.#handOver()
        this.#watch()
      },
      Math.max(0, Math.min(...oldest) - Date.now()),
    ).unref()
  }

  #handOver(): void {
    const end = Date.now() + TOGETHER_MS
    for (const each of [...this.#sent, this.#waiting].flat()) {
      if (each.done || each.deadline > end) continue
      each.done = true
      this.#hooks.late(each.lead).then(each.resolve, each.reject)
    }
    this.#waiting = this.#waiting.filter(({ done }) => !done)
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

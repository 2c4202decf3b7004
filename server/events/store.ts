import type { Db } from '#db/connect.ts'
import { unavailable } from '../http/errors.ts'
import { storeEvents } from './events.ts'
import type { CleanEvent, Outcome } from './sent-events.ts'

interface Waiting {
  event: CleanEvent
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

const EVENTS_PER_TRANSACTION = 100
/** Transactions of one issuer at the same time, and beside them batches: one issuer never takes all connections. */
const IN_FLIGHT = 2
const BATCHES_IN_FLIGHT = 3
/** Of one issuer; any more are a 503. */
const EVENTS_WAITING = 5_000
const BATCHES_WAITING = 20
/** Prepared: its statements are few and always the same. */
export const EVENTS_POOL = { max: 6, prepared: true }

interface Queue {
  waiting: Waiting[]
  inFlight: number
  /** Batches that wait for their turn. */
  turns: (() => void)[]
  batches: number
}

/**
 * The one place where events become durable. In light traffic each event has its own transaction; in heavy traffic, an
 * issuer's events that arrive while others are being stored share the next one. Each is answered only after its COMMIT.
 */
export class EventStore {
  readonly #db: Db
  readonly #issuers = new Map<number, Queue>()

  constructor(db: Db) {
    this.#db = db
  }

  /** In the order given. */
  async storeBatch(issuerId: number, events: readonly CleanEvent[]): ReturnType<typeof storeEvents> {
    const queue = this.#queueOf(issuerId)
    if (queue.turns.length >= BATCHES_WAITING) throw unavailable()
    if (queue.batches >= BATCHES_IN_FLIGHT) await new Promise<void>((resolve) => queue.turns.push(resolve))
    else queue.batches += 1
    try {
      return await storeEvents(this.#db, issuerId, events)
    } finally {
      const next = queue.turns.shift()
      if (next) next()
      else queue.batches -= 1
      this.#forgetIdle(issuerId, queue)
    }
  }

  /** Rejects with the error for the sender when the event is refused. */
  store(issuerId: number, event: CleanEvent): Promise<Outcome> {
    const queue = this.#queueOf(issuerId)
    if (queue.waiting.length >= EVENTS_WAITING) return Promise.reject(unavailable())
    return new Promise((resolve, reject) => {
      queue.waiting.push({ event, resolve, reject })
      // After the pending input, so that requests read in one turn of the event loop share a transaction.
      setImmediate(() => this.#next(issuerId))
    })
  }

  #queueOf(issuerId: number): Queue {
    const queue = this.#issuers.get(issuerId) ?? { waiting: [], inFlight: 0, turns: [], batches: 0 }
    this.#issuers.set(issuerId, queue)
    return queue
  }

  #forgetIdle(issuerId: number, { waiting, inFlight, batches }: Queue): void {
    if (!waiting.length && !inFlight && !batches) this.#issuers.delete(issuerId)
  }

  #next(issuerId: number): void {
    const queue = this.#issuers.get(issuerId)
    if (!queue || queue.inFlight >= IN_FLIGHT) return
    const group = queue.waiting.splice(0, EVENTS_PER_TRANSACTION)
    if (!group.length) {
      this.#forgetIdle(issuerId, queue)
      return
    }
    queue.inFlight += 1
    this.#storeGroup(issuerId, group).finally(() => {
      queue.inFlight -= 1
      this.#next(issuerId)
    })
  }

  async #storeGroup(issuerId: number, group: Waiting[]): Promise<void> {
    try {
      const events = group.map(({ event }) => event)
      const verdicts = await storeEvents(this.#db, issuerId, events)
      for (const [index, { resolve, reject }] of group.entries()) {
        const verdict = verdicts[index]
        if (verdict === undefined || verdict instanceof Error) reject(verdict)
        else resolve(verdict)
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
}

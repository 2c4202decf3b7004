import type { StoredEvent } from '#contract/tracking.ts'
import type { Db } from '#db/connect.ts'
import { storeEvents } from './events.ts'
import type { CleanEvent } from './sent-events.ts'

interface Waiting {
  event: CleanEvent
  resolve: (stored: StoredEvent) => void
  reject: (error: unknown) => void
}

const EVENTS_PER_TRANSACTION = 100
/** Transactions of one issuer at the same time, beside its batches. */
const IN_FLIGHT = 2
/** Prepared: its statements are few and always the same. */
export const EVENTS_POOL = { max: 6, prepared: true }

/**
 * The one place where events become durable. In light traffic each event has its own transaction; in heavy traffic, an
 * issuer's events that arrive while others are being stored share the next one. Each is answered only after its COMMIT.
 */
export class EventStore {
  readonly #db: Db
  readonly #issuers = new Map<number, { waiting: Waiting[]; inFlight: number }>()

  constructor(db: Db) {
    this.#db = db
  }

  /** In the order given. */
  storeAll(issuerId: number, events: readonly CleanEvent[]): ReturnType<typeof storeEvents> {
    return storeEvents(this.#db, issuerId, events)
  }

  /** Rejects with the error for the sender when the event is refused. */
  store(issuerId: number, event: CleanEvent): Promise<StoredEvent> {
    const queue = this.#issuers.get(issuerId) ?? { waiting: [], inFlight: 0 }
    this.#issuers.set(issuerId, queue)
    return new Promise((resolve, reject) => {
      queue.waiting.push({ event, resolve, reject })
      // After the pending input, so that requests read in one turn of the event loop share a transaction.
      setImmediate(() => this.#next(issuerId))
    })
  }

  #next(issuerId: number): void {
    const queue = this.#issuers.get(issuerId)
    if (!queue || queue.inFlight >= IN_FLIGHT) return
    const group = queue.waiting.splice(0, EVENTS_PER_TRANSACTION)
    if (!group.length) {
      if (!queue.inFlight) this.#issuers.delete(issuerId)
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
      const verdicts = await this.storeAll(issuerId, events)
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

import { hash } from 'node:crypto'
import { TapTable } from './tap-table.ts'

const WINDOW_MS = 3_000
/** Size of each of the two tables; with more clicks in three seconds, taps are forgotten sooner. */
const LIMIT = 100_000

/**
 * A second tap on the same link within three seconds is the same lead. The second is answered after the first
 * one's commit, and fails with it.
 */
export class DoubleTaps {
  /** Not stored yet. */
  readonly #pending = new Map<string, Promise<string>>()
  /** Stored taps, forgotten a whole table at a time. */
  #recent = new TapTable()
  #earlier = new TapTable()
  #since = 0
  readonly #onRepeat: () => void

  constructor(onRepeat: () => void = () => undefined) {
    this.#onRepeat = onRepeat
  }

  /** The id of this tap's lead: the one that `store` stores, or one stored a moment ago. */
  once(tap: string, store: () => Promise<string>): Promise<string> {
    // Short, and keeps visitors' addresses out of memory.
    const key = hash('sha1', tap, 'binary')
    const now = performance.now()
    const pending = this.#pending.get(key)
    const stored = pending ? undefined : this.#storedOf(key, now)
    if (pending || stored) this.#onRepeat()
    if (pending) return pending
    return stored ? Promise.resolve(stored) : this.#begin(key, store(), now)
  }

  #begin(key: string, storing: Promise<string>, tapped: number): Promise<string> {
    const settled = storing.then(
      (trackingId) => {
        this.#pending.delete(key)
        this.#remember(key, trackingId, tapped)
        return trackingId
      },
      (error) => {
        this.#pending.delete(key)
        throw error
      },
    )
    this.#pending.set(key, settled)
    return settled
  }

  #storedOf(key: string, now: number): string | undefined {
    return this.#recent.get(key, now, WINDOW_MS) ?? this.#earlier.get(key, now, WINDOW_MS)
  }

  /** The two tables together cover the window, unless more than LIMIT taps come. */
  #remember(key: string, trackingId: string, tapped: number): void {
    const now = performance.now()
    if (this.#recent.size >= LIMIT || now - this.#since > WINDOW_MS) {
      ;[this.#earlier, this.#recent] = [this.#recent, this.#earlier]
      this.#recent.clear()
      this.#since = now
    }
    this.#recent.set(key, trackingId, tapped)
  }
}

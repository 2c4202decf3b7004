import { hash } from 'node:crypto'
import { timeOf } from '#db/lead-ids.ts'
import { TapTable } from './tap-table.ts'

const WINDOW = 10_000
/** Of each of two tables; with more clicks than that in ten seconds, a tap is remembered for less. */
const LIMIT = 100_000

/**
 * A second tap on the same link within ten seconds is the same lead. Who waits for whom matters: the second is answered
 * after the first one's commit, and fails with it.
 */
export class DoubleTaps {
  /** On their way to a disk. */
  readonly #pending = new Map<string, Promise<string>>()
  /** Stored ones. They leave by the thousand, with the table that they are in. */
  #recent = new TapTable()
  #earlier = new TapTable()
  #since = 0
  readonly #onRepeat: () => void

  constructor(onRepeat: () => void = () => undefined) {
    this.#onRepeat = onRepeat
  }

  /** The id of the lead that this tap is: what `store` stores, or one that was stored a moment ago. */
  once(tap: string, store: () => Promise<string>): Promise<string> {
    // Short, and no visitor's address in memory.
    const key = hash('sha1', tap, 'binary')
    const pending = this.#pending.get(key)
    const stored = pending ? undefined : this.#storedOf(key)
    if (pending || stored) this.#onRepeat()
    if (pending) return pending
    return stored ? Promise.resolve(stored) : this.#begin(key, store())
  }

  #begin(key: string, storing: Promise<string>): Promise<string> {
    const settled = storing.then(
      (trackingId) => {
        this.#pending.delete(key)
        this.#remember(key, trackingId)
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

  #storedOf(key: string): string | undefined {
    const trackingId = this.#recent.get(key) ?? this.#earlier.get(key)
    return trackingId && timeOf(trackingId) + WINDOW > Date.now() ? trackingId : undefined
  }

  /** Whatever is still of use has come since the last turn, unless there are more than we remember. */
  #remember(key: string, trackingId: string): void {
    const now = Date.now()
    if (this.#recent.size >= LIMIT || now - this.#since > WINDOW) {
      ;[this.#earlier, this.#recent] = [this.#recent, this.#earlier]
      this.#recent.clear()
      this.#since = now
    }
    this.#recent.set(key, trackingId)
  }
}

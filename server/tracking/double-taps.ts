import { timeOf } from './lead-ids.ts'

const WINDOW = 10_000
/** Of each of two maps; with more clicks than that in ten seconds, a tap is remembered for less. */
const LIMIT = 100_000

/**
 * A second tap on the same link within ten seconds is the same lead. Who waits for whom matters: the second is answered
 * after the first one's commit, and fails with it.
 */
export class DoubleTaps {
  /** On their way to a disk. */
  readonly #pending = new Map<string, Promise<string>>()
  /*
   * Stored ones, with nothing but their leads' ids: a hundred thousand of anything more are the collector's main work.
   * They leave by the thousand, with the map that they are in: a Map whose oldest entries are deleted one by one walks
   * over what was deleted each time, which made a click of a busy server twice as dear.
   */
  #recent = new Map<string, string>()
  #earlier = new Map<string, string>()
  #since = 0
  readonly #onRepeat: () => void

  constructor(onRepeat: () => void = () => undefined) {
    this.#onRepeat = onRepeat
  }

  /** The id of the lead that this tap is: what `store` stores, or one that was stored a moment ago. */
  async once(key: string, store: () => Promise<string>): Promise<string> {
    const earlier = this.#pending.get(key) ?? this.#storedOf(key)
    if (earlier) {
      this.#onRepeat()
      return earlier
    }
    const storing = store()
    this.#pending.set(key, storing)
    try {
      const trackingId = await storing
      this.#remember(key, trackingId)
      return trackingId
    } finally {
      this.#pending.delete(key)
    }
  }

  #storedOf(key: string): string | undefined {
    const trackingId = this.#recent.get(key) ?? this.#earlier.get(key)
    return trackingId && timeOf(trackingId) + WINDOW > Date.now() ? trackingId : undefined
  }

  /** Whatever is still of use has come since the last turn, unless there are more than we remember. */
  #remember(key: string, trackingId: string): void {
    const now = Date.now()
    if (this.#recent.size >= LIMIT || now - this.#since > WINDOW) {
      this.#earlier = this.#recent
      this.#recent = new Map()
      this.#since = now
    }
    this.#recent.set(key, trackingId)
  }
}

interface Tap {
  trackingId: Promise<string>
  until: number
}

const WINDOW = 10_000
const LIMIT = 100_000

/**
 * A second tap on the same link within ten seconds is the same lead. Who waits for whom matters: the second is answered
 * after the first one's commit, and fails with it.
 */
export class DoubleTaps {
  /** All live equally long, so the order of arrival is the order of expiry. */
  readonly #taps = new Map<string, Tap>()
  readonly #onRepeat: () => void

  constructor(onRepeat: () => void = () => undefined) {
    this.#onRepeat = onRepeat
  }

  async once(key: string, store: () => Promise<string>): Promise<string> {
    const now = Date.now()
    const earlier = this.#taps.get(key)
    if (earlier && earlier.until > now) {
      this.#onRepeat()
      return earlier.trackingId
    }
    this.#forgetOld(now)
    const tap = { trackingId: store(), until: now + WINDOW }
    this.#taps.delete(key)
    this.#taps.set(key, tap)
    try {
      return await tap.trackingId
    } catch (error) {
      if (this.#taps.get(key) === tap) this.#taps.delete(key)
      throw error
    }
  }

  #forgetOld(now: number): void {
    for (const [key, tap] of this.#taps) {
      if (tap.until > now && this.#taps.size < LIMIT) return
      this.#taps.delete(key)
    }
  }
}

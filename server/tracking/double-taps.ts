interface Tap {
  trackingId: Promise<string>
  until: number
}

const WINDOW = 10_000
/** Of each of two maps; with more clicks than that in ten seconds, a tap is remembered for less. */
const LIMIT = 100_000

/**
 * A second tap on the same link within ten seconds is the same lead. Who waits for whom matters: the second is answered
 * after the first one's commit, and fails with it.
 */
export class DoubleTaps {
  /*
   * Old taps leave by the thousand, with the map that they are in: a Map whose oldest entries are deleted one by one
   * walks over what was deleted each time, which made a click of a busy server twice as dear.
   */
  #recent = new Map<string, Tap>()
  #earlier = new Map<string, Tap>()
  #since = 0
  readonly #onRepeat: () => void

  constructor(onRepeat: () => void = () => undefined) {
    this.#onRepeat = onRepeat
  }

  once(key: string, store: () => Promise<string>): Promise<string> {
    const now = Date.now()
    const earlier = this.#recent.get(key) ?? this.#earlier.get(key)
    if (earlier && earlier.until > now) {
      this.#onRepeat()
      return earlier.trackingId
    }
    if (this.#recent.size >= LIMIT || now - this.#since > WINDOW) this.#turn(now)
    const tap = { trackingId: store(), until: now + WINDOW }
    this.#recent.set(key, tap)
    // Never remembered as if it had been stored, wherever it is by now. Whoever waits learns of the failure.
    tap.trackingId.catch(() => {
      tap.until = 0
    })
    return tap.trackingId
  }

  /** Whatever is still of use has come since the last turn, unless there are more than we remember. */
  #turn(now: number): void {
    this.#earlier = this.#recent
    this.#recent = new Map()
    this.#since = now
  }
}

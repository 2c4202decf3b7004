import { monitorEventLoopDelay } from 'node:perf_hooks'

const SAMPLE_MS = 10
const WINDOW_MS = 2_000
const LATE_MS = 100
const PATIENCE_MS = 5_000

/** How late the event loop comes to what is due, at the 99th percentile of the last seconds: one short halt is no load. */
export class LoopLag {
  readonly #delay = monitorEventLoopDelay({ resolution: SAMPLE_MS })
  #began = performance.now()
  /** Of the window before. */
  #before = 0

  constructor() {
    this.#delay.enable()
  }

  /** In milliseconds. */
  read(): number {
    const late = this.#delay.percentile(99) / 1e6 - SAMPLE_MS
    const worse = Math.max(late, this.#before)
    if (performance.now() - this.#began >= WINDOW_MS) {
      this.#before = late
      this.#began = performance.now()
      this.#delay.reset()
    }
    return worse
  }

  close(): void {
    this.#delay.disable()
  }
}

/** Leaves a busy event loop to clicks and screens, but never for ever: one round goes on after so long a rest. */
export class Rest {
  #since: number | undefined

  isDue(lateMs: number, now: number = performance.now()): boolean {
    if (lateMs <= LATE_MS) {
      this.#since = undefined
      return false
    }
    this.#since ??= now
    if (now - this.#since < PATIENCE_MS) return true
    this.#since = now
    return false
  }
}

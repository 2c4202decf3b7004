import { once } from 'node:events'

/** So many at once; the others wait in the order in which they came. */
export class Places {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Returns what gives the place back. Rejects with the reason when whoever wants it has gone. */
  async take(gone: AbortSignal): Promise<() => void> {
    gone.throwIfAborted()
    if (this.#free > 0) this.#free -= 1
    else await this.#wait(gone)
    return () => this.#leave()
  }

  async #wait(gone: AbortSignal): Promise<void> {
    const mine = Promise.withResolvers<void>()
    this.#waiting.push(mine.resolve)
    await Promise.race([mine.promise, once(gone, 'abort')])
    if (!gone.aborted) return
    const at = this.#waiting.indexOf(mine.resolve)
    if (at >= 0) this.#waiting.splice(at, 1)
    else this.#leave()
    gone.throwIfAborted()
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }
}

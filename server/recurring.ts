import { setTimeout as wait } from 'node:timers/promises'
import { codeOf } from '#db/operator-error.ts'
import type { Readiness } from './readiness.ts'

export interface Task {
  /** Nothing is done until it is ready. */
  readiness: Readiness
  /**
   * Does a part of it, and says after how many milliseconds the next is due. `failed` is told what fails while the rest
   * goes on.
   */
  run: (failed: (error: unknown) => void) => Promise<number>
  /** Milliseconds from a failure, also of a part, to the next attempt at most. */
  pauseMs: number
  /** Once for each outage: the next attempts say the same. */
  report: (error: unknown) => void
}

/** Background work repeated from the moment the server is ready until it is closed. */
export class Recurring {
  readonly #task: Task
  readonly #closing = new AbortController()
  readonly #tried = Promise.withResolvers<void>()
  #running: Promise<void> | undefined
  /** The codes of what failed in the last attempt. */
  #outages = new Set<string>()

  constructor(task: Task) {
    this.#task = task
    task.readiness.whenReady(() => {
      if (!this.#closing.signal.aborted) this.#running = this.#repeat()
    })
  }

  /** Settles after the first attempt, whatever came of it. */
  get tried(): Promise<void> {
    return this.#tried.promise
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  async #repeat(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      const next = await this.#attempt()
      this.#tried.resolve()
      await wait(next, undefined, { signal, ref: false }).catch(() => undefined) // closing: the loop ends
    }
  }

  async #attempt(): Promise<number> {
    const failures: unknown[] = []
    const failed = (error: unknown) => void failures.push(error)
    let next = this.#task.pauseMs
    try {
      next = await this.#task.run(failed)
    } catch (error) {
      failed(error)
    }
    const outages = new Map(failures.map((error) => [codeOf(error) ?? 'other', error]))
    for (const [code, error] of outages) if (!this.#outages.has(code)) this.#task.report(error)
    this.#outages = new Set(outages.keys())
    return failures.length ? Math.min(next, this.#task.pauseMs) : next
  }
}

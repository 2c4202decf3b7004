/** Runs once, `pauseMs` after the first of any number of requests; never concurrently. */
export class CoalescedTask {
  readonly #run: () => Promise<void>
  readonly #pauseMs: number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  /** `run` handles its own failures. */
  constructor(run: () => Promise<void>, pauseMs: number) {
    this.#run = run
    this.#pauseMs = pauseMs
  }

  request(pauseMs = this.#pauseMs): void {
    this.#timer ??= setTimeout(() => this.#now(), pauseMs).unref()
  }

  /** Runs a pending request at once. */
  close(): Promise<void> {
    return this.#timer ? this.#now() : this.#running
  }

  #now(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#running = this.#running.then(this.#run)
    return this.#running
  }
}

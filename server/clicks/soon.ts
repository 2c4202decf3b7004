/** Runs a while after it was asked to: once however often it was asked, and never twice at a time. */
export class Soon {
  readonly #run: () => Promise<void>
  readonly #pauseMs: number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  /** `run` deals with its own failures. */
  constructor(run: () => Promise<void>, pauseMs: number) {
    this.#run = run
    this.#pauseMs = pauseMs
  }

  ask(pauseMs = this.#pauseMs): void {
    this.#timer ??= setTimeout(() => this.#now(), pauseMs).unref()
  }

  /** Runs what was asked for and has not begun. */
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

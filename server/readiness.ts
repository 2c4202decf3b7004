/** Not ready until the database is known to be there and up to date; ready once and for all. */
export class Readiness {
  readonly #ready = Promise.withResolvers<void>()
  #isReady = false

  static ready(): Readiness {
    const readiness = new Readiness()
    readiness.declareReady()
    return readiness
  }

  get isReady(): boolean {
    return this.#isReady
  }

  declareReady(): void {
    this.#isReady = true
    this.#ready.resolve()
  }

  /** Runs at once when already ready. */
  whenReady(run: () => void): void {
    if (this.#isReady) run()
    else this.#ready.promise.then(run)
  }
}

/** Closed until the database is known to be there and up to date; opens once. */
export class Gate {
  readonly #opened = Promise.withResolvers<void>()
  #isOpen = false

  static opened(): Gate {
    const gate = new Gate()
    gate.open()
    return gate
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  open(): void {
    this.#isOpen = true
    this.#opened.resolve()
  }

  /** At once when it is open already. */
  whenOpen(run: () => void): void {
    if (this.#isOpen) run()
    else this.#opened.promise.then(run)
  }
}

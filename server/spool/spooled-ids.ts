/** The ids of the leads in the spool, in the order in which they came. */
export class SpooledIds {
  readonly #ids: Set<string>
  /** The smallest since there last was none. */
  #least: string
  #drained = Promise.withResolvers<void>()

  /** The oldest first. */
  constructor(ids: string[]) {
    this.#ids = new Set(ids)
    this.#least = ids[0] ?? ''
  }

  get size(): number {
    return this.#ids.size
  }

  get first(): string | undefined {
    const [first] = this.#ids
    return first
  }

  /** No id here is smaller. When the clock was set back, that is not the first one's. */
  get least(): string | undefined {
    return this.#ids.size ? this.#least : undefined
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  add(id: string): void {
    if (!this.#ids.size || id < this.#least) this.#least = id
    this.#ids.add(id)
  }

  delete(id: string): void {
    this.#ids.delete(id)
  }

  /** They are in the database, and whoever waits for them is told. */
  drained(ids: Iterable<string>): void {
    for (const id of ids) this.#ids.delete(id)
    this.#drained.resolve()
    this.#drained = Promise.withResolvers()
  }

  /** None is left: those that nobody found will not come. Returns how many. */
  clear(): number {
    const left = this.#ids.size
    this.drained([...this.#ids])
    return left
  }

  /** Whether it is drained within that time. */
  async drainedWithin(id: string, milliseconds: number): Promise<boolean> {
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, milliseconds)
    const end = performance.now() + milliseconds
    while (this.has(id) && performance.now() < end) await Promise.race([this.#drained.promise, late.promise])
    clearTimeout(timer)
    return !this.has(id)
  }
}

import type pg from 'pg'
import { Readiness } from '../readiness.ts'

const EVERY_MS = 2_000

interface Options<Row> {
  pool: pg.Pool
  /** Nothing is written before the server is ready. */
  readiness?: Readiness | undefined
  /** Adds rows, given as one json array, to those of the table. */
  add: string
  keyOf: (row: Row) => string
  /** In warnings. */
  table: string
  /** Of different keys between two writings; what goes beyond is not counted. */
  limit?: number
}

/** Counts of clicks by day, in memory and added to a table every two seconds: no click waits for it. */
export class KeptCounts<Row extends { count: number }> {
  readonly #options: Options<Row>
  readonly #readiness: Readiness
  #counts = new Map<string, Row>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor({ readiness = Readiness.ready(), ...options }: Options<Row>) {
    this.#options = options
    this.#readiness = readiness
    readiness.whenReady(() => this.flush())
  }

  add(row: Row): void {
    const key = this.#options.keyOf(row)
    const known = this.#counts.get(key)
    if (known) known.count += row.count
    else if (this.#counts.size < (this.#options.limit ?? Number.POSITIVE_INFINITY)) this.#counts.set(key, row)
    if (this.#readiness.isReady) this.#timer ??= setTimeout(() => this.flush(), EVERY_MS).unref()
  }

  /**
   * Writes the counts; those that cannot be written are added again for the next time. When only the answer is lost, they
   * count twice: nobody is paid by them, so that no batch has a key.
   */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async #write(): Promise<void> {
    const counts = [...this.#counts.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count)
    if (!counts.length || !this.#readiness.isReady) return
    this.#counts = new Map()
    try {
      await this.#options.pool.query(this.#options.add, [JSON.stringify(counts)])
    } catch (error) {
      for (const count of counts) this.add(count)
      process.emitWarning(`${this.#options.table}: ${(error as Error).message}`)
    }
  }
}

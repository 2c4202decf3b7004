import type pg from 'pg'
import { dateInMexico } from '#contract/time.ts'
import type { UncountedReason } from '#contract/tracking.ts'
import { Readiness } from '../readiness.ts'

interface Count {
  day: string
  affiliate_id: number
  issuer_id: number
  product_id: number
  reason: UncountedReason
  count: number
}

const EVERY_MS = 2_000

const ADD = `insert into preview_count (day, affiliate_id, issuer_id, product_id, reason, count)
  select * from json_to_recordset($1::json)
    as counted (day date, affiliate_id bigint, issuer_id bigint, product_id bigint, reason text, count bigint)
  on conflict (day, affiliate_id, issuer_id, product_id, reason) do update set count = preview_count.count + excluded.count`

/** Clicks that made no lead, counted in memory and added to the table every two seconds. */
export class PreviewCounts {
  readonly #pool: pg.Pool
  readonly #readiness: Readiness
  #counts = new Map<string, Count>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  /** Nothing is written before the server is ready. */
  constructor(pool: pg.Pool, readiness = Readiness.ready()) {
    this.#pool = pool
    this.#readiness = readiness
    readiness.whenReady(() => this.flush())
  }

  add(link: Pick<Count, 'affiliate_id' | 'issuer_id' | 'product_id'>, reason: UncountedReason): void {
    const { affiliate_id, issuer_id, product_id } = link
    this.#merge({ day: dateInMexico(), affiliate_id, issuer_id, product_id, reason, count: 1 })
  }

  #merge(added: Count): void {
    const { day, affiliate_id, issuer_id, product_id, reason } = added
    const key = `${day} ${affiliate_id} ${issuer_id} ${product_id} ${reason}`
    const known = this.#counts.get(key)
    if (known) known.count += added.count
    else this.#counts.set(key, added)
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
      await this.#pool.query(ADD, [JSON.stringify(counts)])
    } catch (error) {
      for (const count of counts) this.#merge(count)
      process.emitWarning(`preview_count: ${(error as Error).message}`)
    }
  }
}

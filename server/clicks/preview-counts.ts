import type pg from 'pg'
import { dateInMexico } from '#contract/time.ts'
import type { UncountedReason } from '#contract/tracking.ts'
import { Gate } from '../start/gate.ts'

interface Count {
  day: string
  affiliate_id: number
  issuer_id: number
  product_id: number
  reason: UncountedReason
  count: number
}

const EVERY = 2_000

const ADD = `insert into preview_count (day, affiliate_id, issuer_id, product_id, reason, count)
  select * from json_to_recordset($1::json)
    as counted (day date, affiliate_id bigint, issuer_id bigint, product_id bigint, reason text, count bigint)
  on conflict (day, affiliate_id, issuer_id, product_id, reason) do update set count = preview_count.count + excluded.count`

/** Clicks that made no lead, counted in memory and added to the table every two seconds. */
export class PreviewCounts {
  readonly #pool: pg.Pool
  readonly #gate: Gate
  #counts = new Map<string, Count>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  /** Nothing is written while `gate` is closed. */
  constructor(pool: pg.Pool, gate = Gate.opened()) {
    this.#pool = pool
    this.#gate = gate
    gate.whenOpen(() => this.flush())
  }

  add(link: Pick<Count, 'affiliate_id' | 'issuer_id' | 'product_id'>, reason: UncountedReason, by = 1): void {
    const day = dateInMexico()
    const { affiliate_id, issuer_id, product_id } = link
    const key = `${day} ${affiliate_id} ${issuer_id} ${product_id} ${reason}`
    const count = this.#counts.get(key) ?? { day, affiliate_id, issuer_id, product_id, reason, count: 0 }
    count.count += by
    this.#counts.set(key, count)
    if (this.#gate.isOpen) this.#timer ??= setTimeout(() => this.flush(), EVERY).unref()
  }

  /** Writes what was counted; what could not be written is counted again, for the next time. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async #write(): Promise<void> {
    const counts = [...this.#counts.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count)
    if (!counts.length || !this.#gate.isOpen) return
    this.#counts = new Map()
    try {
      await this.#pool.query(ADD, [JSON.stringify(counts)])
    } catch (error) {
      for (const count of counts) this.add(count, count.reason, count.count)
      process.emitWarning(`preview_count: ${(error as Error).message}`)
    }
  }
}

import type pg from 'pg'
import { dateInMexico } from '#contract/time.ts'
import type { UncountedReason } from '#contract/tracking.ts'
import type { Readiness } from '../readiness.ts'
import { KeptCounts } from './kept-counts.ts'

interface Count {
  day: string
  affiliate_id: number
  issuer_id: number
  product_id: number
  reason: UncountedReason
  count: number
}

const ADD = `insert into preview_count (day, affiliate_id, issuer_id, product_id, reason, count)
  select * from json_to_recordset($1::json)
    as counted (day date, affiliate_id bigint, issuer_id bigint, product_id bigint, reason text, count bigint)
  on conflict (day, affiliate_id, issuer_id, product_id, reason) do update set count = preview_count.count + excluded.count`

const keyOf = ({ day, affiliate_id, issuer_id, product_id, reason }: Count): string =>
  `${day} ${affiliate_id} ${issuer_id} ${product_id} ${reason}`

/** Clicks that made no lead. */
export class PreviewCounts {
  readonly #counts: KeptCounts<Count>

  constructor(pool: pg.Pool, readiness?: Readiness) {
    this.#counts = new KeptCounts({ pool, readiness, add: ADD, keyOf, table: 'preview_count' })
  }

  add(link: Pick<Count, 'affiliate_id' | 'issuer_id' | 'product_id'>, reason: UncountedReason): void {
    const { affiliate_id, issuer_id, product_id } = link
    this.#counts.add({ day: dateInMexico(), affiliate_id, issuer_id, product_id, reason, count: 1 })
  }

  flush(): Promise<void> {
    return this.#counts.flush()
  }
}

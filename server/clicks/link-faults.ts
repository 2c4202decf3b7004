import type pg from 'pg'
import { cleanText } from '#contract/fields.ts'
import type { LinkFaultReason } from '#contract/link-faults.ts'
import { dateInMexico } from '#contract/time.ts'
import { maskPersonal } from '../privacy/mask.ts'
import type { Readiness } from '../readiness.ts'
import { KeptCounts } from './kept-counts.ts'

interface Count {
  day: string
  relationship_id: number
  product_id: number | null
  reason: LinkFaultReason
  sample: string
  count: number
}

// Whoever guesses addresses names relationships that do not exist; those are nobody's.
const ADD = `insert into link_fault (day, affiliate_id, relationship_id, product_id, reason, sample, count)
  select day, relationship.affiliate_id, relationship.id, counted.product_id, reason, sample, count
  from json_to_recordset($1::json)
    as counted (day date, relationship_id bigint, product_id bigint, reason text, sample text, count bigint)
  join relationship on relationship.id = counted.relationship_id
  on conflict (day, relationship_id, product_id, reason)
  do update set count = link_fault.count + excluded.count, sample = excluded.sample`

const keyOf = ({ day, relationship_id, product_id, reason }: Count): string =>
  `${day} ${relationship_id} ${product_id} ${reason}`

const SAMPLE_LENGTH = 60
const KEY_LIMIT = 5_000

/** Clicks of persons that lost their affiliate's reference, or made no lead since their link is broken (D84). */
export class LinkFaults {
  readonly #counts: KeptCounts<Count>

  constructor(pool: pg.Pool, readiness?: Readiness) {
    this.#counts = new KeptCounts({ pool, readiness, add: ADD, keyOf, table: 'link_fault', limit: KEY_LIMIT })
  }

  /** `sample` is what the link sent, from outside. */
  add(link: Pick<Count, 'relationship_id' | 'product_id'>, reason: LinkFaultReason, sample = ''): void {
    const { relationship_id, product_id } = link
    const clean = maskPersonal(cleanText(sample), () => undefined).slice(0, SAMPLE_LENGTH)
    this.#counts.add({ day: dateInMexico(), relationship_id, product_id, reason, sample: clean, count: 1 })
  }

  flush(): Promise<void> {
    return this.#counts.flush()
  }
}

import { type RawBuilder, sql } from 'kysely'
import type { Announced } from '#contract/rates.ts'

type Pair = { product: string; affiliate: string }

// Not now(): what the transaction itself set counts.
const NOW = sql`statement_timestamp()`
const ofPair = ({ product, affiliate }: Pair) =>
  sql`rate.product_id = ${sql.ref(product)} and rate.affiliate_id = ${sql.ref(affiliate)}`

/** A column of the rate in force for a pair, named by two columns of the query: null before the first. */
export const inForce = <Value extends string | null>(column: 'amount' | 'valid_from', pair: Pair): RawBuilder<Value> =>
  sql<Value>`(
    select ${sql.ref(column)} from rate where ${ofPair(pair)} and valid_from <= ${NOW}
    order by valid_from desc, rate.id desc limit 1
  )`

/** The next change of a pair that has not begun. */
export const nextRate = (pair: Pair): RawBuilder<Announced | null> =>
  sql<Announced | null>`(
    select jsonb_build_object('id', rate.id, 'payout', amount::text, 'since',
      to_char(valid_from at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from rate where ${ofPair(pair)} and valid_from > ${NOW} order by valid_from, rate.id limit 1
  )`

import { type RawBuilder, sql } from 'kysely'
import type { Announced } from '#contract/rates.ts'

export interface Pair {
  product: RawBuilder<unknown>
  affiliate: RawBuilder<unknown>
}

// Not now(): what the transaction itself set counts.
export const NOW = sql`statement_timestamp()`

/** When a change begins that was asked for. */
export const momentOf = ({ valid_from }: { valid_from?: string | null | undefined }) =>
  valid_from ? sql`${valid_from}::timestamptz` : NOW

/** Inside JSON, as everywhere else on the wire. */
export const asMoment = (moment: RawBuilder<unknown>) =>
  sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** A row of rate as the next change. */
export const ANNOUNCED = sql<Announced | null>`jsonb_build_object('id', rate.id, 'payout', rate.amount::text,
  'since', ${asMoment(sql`rate.valid_from`)})`

const ofPair = ({ product, affiliate }: Pair) =>
  sql`rate.product_id = ${product} and rate.affiliate_id = ${affiliate} and rate.event_step_id is null`

/** What the commission of a pair pays by each step without an amount of its own: null before the first. */
export const inForce = (pair: Pair): RawBuilder<string> =>
  sql<string>`(
    select amount from rate where ${ofPair(pair)} and valid_from <= ${NOW}
    order by event_step_id, valid_from desc, rate.id desc limit 1
  )`

/** The next change of a commission that has not begun. */
export const nextRate = (pair: Pair): RawBuilder<Announced | null> =>
  sql<Announced | null>`(
    select ${ANNOUNCED} from rate where ${ofPair(pair)} and valid_from > ${NOW} order by valid_from, rate.id limit 1
  )`

/** The next change of what a pair is paid, by whichever scope; of a step, or where that is null by those without one. */
export const nextPaid = ({ product, affiliate }: Pair, step: RawBuilder<unknown>): RawBuilder<Announced | null> =>
  sql<Announced | null>`(
    select ${ANNOUNCED} from rate
    cross join lateral rate_at(${product}, ${affiliate}, ${step}, rate.valid_from) as paid
    where rate.product_id = ${product} and (rate.affiliate_id = ${affiliate} or rate.affiliate_id is null)
      and (rate.event_step_id = ${step} or rate.event_step_id is null)
      and rate.valid_from > ${NOW} and paid.id = rate.id
    order by rate.valid_from, rate.id limit 1
  )`

/** Whether a product pays each affiliate without a commission. */
export const hasDefault = (product: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from rate_at(${product}, null, null, ${NOW}))`

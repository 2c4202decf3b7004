import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { PAYMENT_ENTRIES_MAX, type PaymentStatus } from '#contract/payments.ts'
import type { Db, Tx } from '#db/connect.ts'
import { type Entries, entriesOfPayment } from './lines.ts'

/**
 * The entries that a payment may hold. By the pair, not the relationship: an entry stays with the affiliate that earned
 * it even when the relationship is later changed to another pair (D24).
 */
export interface Claim {
  affiliate_id: number
  issuer_id: number
  period_start: string
  period_end: string
}

/** Whether an entry can be paid from a day of the period on, both ends included. */
export const isDueIn = ({ period_start, period_end }: Claim) =>
  sql<SqlBool>`commission_entry.due_on between ${period_start} and ${period_end}`

const entriesOfPair = (db: Db | Tx, { affiliate_id, issuer_id }: Pick<Claim, 'affiliate_id' | 'issuer_id'>) =>
  db
    .selectFrom('commission_entry')
    .where('commission_entry.affiliate_id', '=', affiliate_id)
    .where('commission_entry.issuer_id', '=', issuer_id)

/** Whether a pair earned something that no payment holds. */
export const hasOpenEntries = async (tx: Tx, pair: Pick<Claim, 'affiliate_id' | 'issuer_id'>): Promise<boolean> =>
  (await entriesOfPair(tx, pair)
    .select('commission_entry.id')
    .where('commission_entry.state', '=', 'accrued')
    .limit(1)
    .executeTakeFirst()) !== undefined

export const stateUnder = (status: PaymentStatus) => (status === 'paid' ? 'paid' : 'in_payment')

/** Negative ones first, or what is paid would be paid in full while something is to be deducted. */
const inTurn = sql`(order by amount >= 0, id)`
/** What one payment takes; an object, so that tests need not make so many. */
export const takes = { atMost: PAYMENT_ENTRIES_MAX }

/** Up to an entry, as a preview named it; or the oldest ones that a total covers whole. */
type Extent = { upto: number } | { total: string }

/**
 * Gives the payment the accrued entries of its period and a balance against the affiliate from before; returns their
 * sum. Locked in one order, so that two claims never deadlock, and looked at again once locked, so that two never take one
 * entry. While they sum up to less than zero none is taken.
 */
export async function claimEntries(
  tx: Tx,
  payment: Claim & { id: number; payment_status: PaymentStatus },
  extent: Extent,
): Promise<string> {
  const upto = 'upto' in extent ? extent.upto : undefined
  const open = await claimableBy(tx, null, payment, upto)
  const taken: RawBuilder<SqlBool> = 'total' in extent ? sql`running <= ${extent.total}::numeric` : sql`true`
  const { amount } = await tx
    .with('mine', () => open.select(['commission_entry.id', 'commission_entry.amount']).orderBy('id').forNoKeyUpdate())
    .with('counted', (cte) =>
      cte.selectFrom('mine').select(['mine.id', sql<string>`sum(amount) over ${inTurn}`.as('running')]),
    )
    .with('claimed', (cte) =>
      cte
        .updateTable('commission_entry')
        .from('counted')
        .whereRef('commission_entry.id', '=', 'counted.id')
        .where(taken)
        .set({ state: stateUnder(payment.payment_status), payment_id: payment.id })
        .returning('commission_entry.amount'),
    )
    .selectFrom('claimed')
    .select(sumOfEntries.as('amount'))
    .executeTakeFirstOrThrow()
  if (!amount.startsWith('-')) return amount
  await releaseEntries(tx, payment.id, 'unreversed')
  return amount
}

export const sumOfEntries = sql<string>`coalesce(sum(amount), 0.00)`

/** In one order, like every lock of entries, so that a payment and a rejected lead never deadlock; none is 'for update'. */
const lockEntriesOfPayment = (tx: Tx, paymentId: number) =>
  tx
    .selectFrom('commission_entry')
    .select('id')
    .where('payment_id', '=', paymentId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/**
 * What a payment holds and what it may hold instead, before some of it is released and some claimed: locking only the
 * first would leave out the older ones that come second.
 */
export async function lockOwnAndClaimable(tx: Tx, payment: Claim & { id: number }): Promise<void> {
  const own = tx.selectFrom('commission_entry').select('commission_entry.id').where('payment_id', '=', payment.id)
  const claimable = await claimableBy(tx, payment.id, payment)
  const ids = own.unionAll(claimable.select('commission_entry.id'))
  await tx
    .selectFrom('commission_entry')
    .select('id')
    .where(sql<SqlBool>`id = any(array(${ids}))`) // each by its key
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Back to accrued, free for another payment; what was reversed meanwhile stays reversed, and in sight unless all go. */
export async function releaseEntries(tx: Tx, paymentId: number, which: 'all' | 'unreversed'): Promise<void> {
  await lockEntriesOfPayment(tx, paymentId)
  let rows = tx
    .updateTable('commission_entry')
    .set({ state: sql`case state when 'reversed' then state else 'accrued' end`, payment_id: null })
    .where('payment_id', '=', paymentId)
    .where('of_payment', 'is', null)
  if (which === 'unreversed') rows = rows.where('state', '<>', 'reversed')
  await rows.execute()
}

/** What the payment holds, locked: no rejection changes it until the end of the transaction. */
export async function lockSumOfPayment(tx: Tx, paymentId: number): Promise<string> {
  await lockEntriesOfPayment(tx, paymentId)
  const { amount } = await entriesOfPayment(tx, paymentId)
    .where('commission_entry.state', '<>', 'reversed')
    .select(sumOfEntries.as('amount'))
    .executeTakeFirstOrThrow()
  return amount
}

export async function settleEntries(tx: Tx, paymentId: number, status: PaymentStatus): Promise<void> {
  await lockEntriesOfPayment(tx, paymentId)
  await tx
    .updateTable('commission_entry')
    .set({ state: stateUnder(status) })
    .where('payment_id', '=', paymentId)
    .where('state', 'in', ['in_payment', 'paid'])
    .where('state', '<>', stateUnder(status))
    .execute()
}

/** Entries that no payment holds, and those that this payment holds already, up to an id. */
function openTo(db: Db | Tx, own: number | null, claim: Claim, upto: number | undefined): Entries {
  const entries = entriesOfPair(db, claim)
    .where('commission_entry.of_payment', 'is', null)
    .where((eb) => {
      const isAccrued = eb.and([
        eb('commission_entry.state', '=', 'accrued'),
        eb('commission_entry.is_held', '=', false),
      ])
      const isInOwn = eb('commission_entry.state', 'in', ['in_payment', 'paid'])
      return own === null
        ? isAccrued
        : eb.or([isAccrued, eb.and([eb('commission_entry.payment_id', '=', own), isInOwn])])
    })
  return upto === undefined ? entries : entries.where('commission_entry.id', '<=', upto)
}

/** Due before the period. */
export const openBefore = (db: Db | Tx, own: number | null, claim: Claim, upto?: number): Entries =>
  openTo(db, own, claim, upto).where('commission_entry.due_on', '<', claim.period_start)

/**
 * Of the period; and of the days before, while those sum up to a balance against the affiliate, which is carried. No more
 * than one payment takes: what is to be deducted first, and as much more as that needs not to be a balance against.
 */
export async function claimableBy(tx: Db | Tx, own: number | null, claim: Claim, upto?: number): Promise<Entries> {
  const before = await openBefore(tx, own, claim, upto).select(sumOfEntries.as('amount')).executeTakeFirstOrThrow()
  const since = before.amount.startsWith('-') ? '-infinity' : claim.period_start
  const open = openTo(tx, own, claim, upto).where(isDueIn({ ...claim, period_start: since }))
  const last = await tx
    .with('counted', () =>
      open.select([
        'commission_entry.id',
        'commission_entry.amount',
        sql<number>`row_number() over ${inTurn}`.as('place'),
        sql<string>`sum(amount) over ${inTurn}`.as('running'),
      ]),
    )
    .selectFrom('counted')
    .select(['id', sql<boolean>`amount >= 0`.as('is_earned')])
    .where('place', '>=', takes.atMost)
    .where('running', '>=', '0')
    .orderBy('place')
    .limit(1)
    .executeTakeFirst()
  if (!last) return open
  return open.where(
    sql<SqlBool>`(amount >= 0, commission_entry.id) <= (${last.is_earned}::boolean, ${last.id}::bigint)`,
  )
}

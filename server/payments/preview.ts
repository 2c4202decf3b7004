import { sql } from 'kysely'
import type { PaymentPreview, PreviewQuery } from '#contract/payments.ts'
import { TIME_ZONE } from '#contract/time.ts'
import type { Db, Tx } from '#db/connect.ts'
import { AppError, notFound } from '../http/errors.ts'
import { type Claim, claimableBy, type Entries, entriesOfPair, inPeriod, pageOf } from '../ledger/claims.ts'
import type { Party } from '../parties.ts'
import { percentOf } from '../percent.ts'
import { inSnapshot } from '../snapshot.ts'
import { countLeads } from '../totals/read.ts'

/** Leads and entries in one snapshot: an event between two queries would be in one sum and not in the other. */
export const previewPayment = (db: Db, query: PreviewQuery): Promise<PaymentPreview> =>
  inSnapshot(db, async (tx) => {
    const claim = { ...(await findPair(tx, query)), period_start: query.period_start, period_end: query.period_end }
    const own = query.payment ?? null
    const claimable = claimableBy(tx, own, claim)
    return {
      ...(await totalsOf(tx, claim, claimable)),
      entries: await pageOf(claimable, query),
      held_elsewhere: await heldElsewhere(tx, own, claim),
      unpaid_before: await unpaidBefore(tx, claim),
    }
  })

/** Entries of the period that other payments of the pair hold. */
function heldElsewhere(tx: Tx, own: number | null, claim: Claim): Promise<PaymentPreview['held_elsewhere']> {
  return tx
    .selectFrom('payment')
    .innerJoin('commission_entry', 'commission_entry.payment_id', 'payment.id')
    .where('payment.affiliate_id', '=', claim.affiliate_id)
    .where('payment.issuer_id', '=', claim.issuer_id)
    .where('payment.id', 'is distinct from', own)
    .where('commission_entry.state', '<>', 'reversed')
    .where(inPeriod('commission_entry.earned_at', claim))
    .groupBy('payment.id')
    .select((eb) => [
      'payment.id as payment_id',
      eb.fn.countAll<number>().as('entries'),
      sql<string>`sum(commission_entry.amount)`.as('amount'),
    ])
    .orderBy('payment.id')
    .execute()
}

/** Unpaid entries of earlier periods, so that no peso is forgotten between two payments. */
function unpaidBefore(tx: Tx, claim: Claim): Promise<PaymentPreview['unpaid_before']> {
  const zone = sql.lit(TIME_ZONE)
  return entriesOfPair(tx, claim)
    .where('commission_entry.state', '=', 'accrued')
    .where('commission_entry.earned_at', '<', sql<string>`${claim.period_start}::date::timestamp at time zone ${zone}`)
    .select((eb) => [
      eb.fn.countAll<number>().as('entries'),
      sql<string>`coalesce(sum(commission_entry.amount), 0.00)`.as('amount'),
      sql<string | null>`to_char(min(commission_entry.earned_at) at time zone ${zone}, 'YYYY-MM-DD')`.as('since'),
    ])
    .executeTakeFirstOrThrow()
}

/** The pair of the relationship, or the payment's own snapshot of it when that payment is being edited. */
async function findPair(tx: Tx, { relationship, payment }: PreviewQuery) {
  const pair = await tx
    .selectFrom('relationship')
    .select(['affiliate_id', 'issuer_id'])
    .where('id', '=', relationship)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
  if (payment === undefined) return pair ?? fail()
  const edited = await tx
    .selectFrom('payment')
    .select(['relationship_id', 'affiliate_id', 'issuer_id'])
    .where('id', '=', payment)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
  if (!edited) throw notFound('Pago')
  if (edited.relationship_id !== relationship) return pair ?? fail()
  return { affiliate_id: edited.affiliate_id, issuer_id: edited.issuer_id }
}

const fail = (): never => {
  throw new AppError(404, 'NOT_FOUND', 'Relación no encontrada')
}

/**
 * The values of the payment's fields. Conversions come from the entries; those of leads from before the period count
 * among its leads, since a payment may not have more conversions than leads.
 */
async function totalsOf(tx: Tx, claim: Claim, claimable: Entries) {
  const pair: Party[] = [
    ['affiliate_id', claim.affiliate_id],
    ['issuer_id', claim.issuer_id],
  ]
  const leads = await countLeads(tx, pair, { from: claim.period_start, to: claim.period_end })
  const { total_conversions, total_amount } = await claimable
    .select([
      sql<number>`greatest(coalesce(sum(commission_entry.converts), 0), 0)::int`.as('total_conversions'),
      sql<string>`coalesce(sum(commission_entry.amount), 0.00)`.as('total_amount'),
    ])
    .executeTakeFirstOrThrow()
  const total_leads = Math.max(leads, total_conversions)
  return { total_leads, total_conversions, total_amount, conversion_rate: percentOf(total_conversions, total_leads) }
}

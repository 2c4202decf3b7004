import { type ExpressionBuilder, sql } from 'kysely'
import type { PaymentPreview, PreviewQuery } from '#contract/payments.ts'
import { TIME_ZONE } from '#contract/time.ts'
import type { Db } from '#db/connect.ts'
import type { DB } from '#db/tables.ts'
import { AppError, notFound } from '../http/errors.ts'
import { type Claim, claimableBy, type Entries, entriesOfPair, inPeriod, pageOf } from '../ledger/claims.ts'

export async function previewPayment(db: Db, query: PreviewQuery): Promise<PaymentPreview> {
  const claim = { ...(await findPair(db, query)), period_start: query.period_start, period_end: query.period_end }
  const own = query.payment ?? null
  const claimable = claimableBy(db, own, claim)
  const [totals, entries, held_elsewhere, unpaid_before] = await Promise.all([
    totalsOf(db, claim, claimable),
    pageOf(claimable, query),
    heldElsewhere(db, own, claim),
    unpaidBefore(db, claim),
  ])
  return { ...totals, entries, held_elsewhere, unpaid_before }
}

/**
 * By the payments, which hold entries of their own pair and period alone: what one holds whose period is not all in the
 * claim's lies together in an index.
 */
function heldElsewhere(db: Db, own: number | null, claim: Claim): Promise<PaymentPreview['held_elsewhere']> {
  const isWhole = sql<boolean>`payment.period_start >= ${claim.period_start} and payment.period_end <= ${claim.period_end}`
  return db
    .selectFrom('payment')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('held_total')
          .whereRef('held_total.payment_id', '=', 'payment.id')
          .where(isWhole)
          .select(['held_total.entries', 'held_total.amount'])
          .unionAll(
            entriesHeld(eb)
              .where(inPeriod('commission_entry.earned_at', claim))
              .where(sql<boolean>`not (${isWhole})`)
              .select([eb.fn.countAll<number>().as('entries'), sql<string>`sum(commission_entry.amount)`.as('amount')]),
          )
          .as('held'),
      (join) => join.onTrue(),
    )
    .where('payment.affiliate_id', '=', claim.affiliate_id)
    .where('payment.issuer_id', '=', claim.issuer_id)
    .where('payment.id', 'is distinct from', own)
    .where('held.entries', '>', 0)
    .select(['payment.id as payment_id', 'held.entries', 'held.amount'])
    .orderBy('payment.id')
    .execute()
}

const entriesHeld = (eb: ExpressionBuilder<DB, 'payment'>) =>
  eb
    .selectFrom('commission_entry')
    .whereRef('commission_entry.payment_id', '=', 'payment.id')
    .where('commission_entry.state', '<>', 'reversed')

/** What an earlier period left behind, so that no peso is forgotten between two payments. */
function unpaidBefore(db: Db, claim: Claim): Promise<PaymentPreview['unpaid_before']> {
  const zone = sql.lit(TIME_ZONE)
  return entriesOfPair(db, claim)
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
async function findPair(db: Db, { relationship, payment }: PreviewQuery) {
  const pair = await db
    .selectFrom('relationship')
    .select(['affiliate_id', 'issuer_id'])
    .where('id', '=', relationship)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
  if (payment === undefined) return pair ?? fail()
  const edited = await db
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

/** Percent with two decimals, 0 without leads (D45). */
export const rateOf = (conversions: string, leads: string) =>
  sql<number>`coalesce(round(100.0 * ${sql.ref(conversions)} / nullif(${sql.ref(leads)}, 0), 2), 0)::float8`

/**
 * A conversion is a lead that earned, once however many of its steps pay, since conversions may not exceed leads; one
 * whose paid commission was taken back counts against the others.
 */
async function totalsOf(db: Db, claim: Claim, claimable: Entries) {
  const byLead = claimable
    .groupBy('commission_entry.lead_id')
    .select([
      sql<number>`sign(sum(case when commission_entry.reversal_of is null then 1 else -1 end))`.as('sign'),
      sql<string>`sum(commission_entry.amount)`.as('amount'),
    ])
  const sums = db.selectFrom(byLead.as('by_lead')).select((eb) => [
    sql<number>`greatest(coalesce(sum(by_lead.sign), 0), 0)::int`.as('total_conversions'),
    sql<string>`coalesce(sum(by_lead.amount), 0.00)`.as('total_amount'),
    // Kept by the days of Mexico City, of which the period is made.
    eb
      .selectFrom('lead_count')
      .where('lead_count.affiliate_id', '=', claim.affiliate_id)
      .where('lead_count.issuer_id', '=', claim.issuer_id)
      .where('lead_count.day', '>=', claim.period_start)
      .where('lead_count.day', '<=', claim.period_end)
      .select(sql<number>`coalesce(sum(lead_count.count), 0)::int8`.as('count'))
      .$asScalar()
      .$notNull()
      .as('total_leads'),
  ])
  return db
    .selectFrom(sums.as('sums'))
    .select([
      'total_leads',
      'total_conversions',
      'total_amount',
      rateOf('total_conversions', 'total_leads').as('conversion_rate'),
    ])
    .executeTakeFirstOrThrow()
}

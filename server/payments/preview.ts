import { sql } from 'kysely'
import type { PaymentPreview } from '#contract/payment-preview.ts'
import type { PreviewQuery } from '#contract/payments.ts'
import type { Db, Tx } from '#db/connect.ts'
import { AppError, notFound } from '../http/errors.ts'
import { type Claim, claimableBy, isDueIn, openBefore, sumOfEntries } from '../ledger/claims.ts'
import { type Entries, pageOf } from '../ledger/lines.ts'
import type { Party } from '../parties.ts'
import { percentOf } from '../percent.ts'
import { inSnapshot } from '../snapshot.ts'
import { countLeads } from '../totals/read.ts'

/** Leads and entries in one snapshot: an event between two queries would be in one sum and not in the other. */
export const previewPayment = (db: Db, query: PreviewQuery): Promise<PaymentPreview> =>
  inSnapshot(db, async (tx) => {
    const claim = { ...(await findPair(tx, query)), period_start: query.period_start, period_end: query.period_end }
    const own = query.payment ?? null
    const claimable = await claimableBy(tx, own, claim)
    const { last, ...before } = await readBefore(tx, own, claim)
    const isCarried = before.amount.startsWith('-')
    const totals = await totalsOf(tx, claim, claimable)
    return {
      ...totals,
      // Also of earlier days that nothing is carried from: saving looks at them up to here, and must see them all.
      upto: Math.max(totals.upto, last),
      entries: await pageOf(claimable, query),
      held_elsewhere: await heldElsewhere(tx, own, claim),
      carried: isCarried ? before : NONE,
      unpaid_before: isCarried ? NONE : before,
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
    .where('commission_entry.of_payment', 'is', null)
    .where(isDueIn(claim))
    .groupBy('payment.id')
    .select((eb) => [
      'payment.id as payment_id',
      eb.fn.countAll<number>().as('entries'),
      sql<string>`sum(commission_entry.amount)`.as('amount'),
    ])
    .orderBy('payment.id')
    .execute()
}

const lastId = sql<number>`coalesce(max(commission_entry.id), 0)`

const NONE = { entries: 0, amount: '0.00', since: null }

/** Unpaid entries of earlier periods, so that no peso is forgotten between two payments. */
const readBefore = (tx: Tx, own: number | null, claim: Claim) =>
  openBefore(tx, own, claim)
    .select((eb) => [
      eb.fn.countAll<number>().as('entries'),
      sumOfEntries.as('amount'),
      eb.fn.min<string | null>('due_on').as('since'),
      lastId.as('last'),
    ])
    .executeTakeFirstOrThrow()

/** The pair of the relationship, which may have ended (D79), or the payment's own snapshot of it when that payment is being edited. */
async function findPair(tx: Tx, { relationship, payment }: PreviewQuery) {
  const pair = await tx
    .selectFrom('relationship')
    .select(['affiliate_id', 'issuer_id'])
    .where('id', '=', relationship)
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
 * among its leads, since a payment may not have more conversions than leads. A balance against the affiliate is held by
 * no payment, so nothing is paid and nothing counted.
 */
async function totalsOf(tx: Tx, claim: Claim, claimable: Entries) {
  const pair: Party[] = [
    ['affiliate_id', claim.affiliate_id],
    ['issuer_id', claim.issuer_id],
  ]
  const leads = await countLeads(tx, pair, { from: claim.period_start, to: claim.period_end })
  const { conversions, entries_amount, upto } = await claimable
    .select([
      sql<number>`greatest(coalesce(sum(commission_entry.converts), 0), 0)::int`.as('conversions'),
      sumOfEntries.as('entries_amount'),
      lastId.as('upto'),
    ])
    .executeTakeFirstOrThrow()
  const isAgainst = entries_amount.startsWith('-')
  const total_conversions = isAgainst ? 0 : conversions
  const total_leads = Math.max(leads, total_conversions)
  return {
    total_leads,
    total_conversions,
    total_amount: isAgainst ? '0.00' : entries_amount,
    entries_amount,
    upto,
    conversion_rate: percentOf(total_conversions, total_leads),
  }
}

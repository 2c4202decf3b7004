import { sql } from 'kysely'
import type { EntryPage } from '#contract/commission-entries.ts'
import { subtractAmounts } from '#contract/money.ts'
import type { Payment, PaymentFilters } from '#contract/payments.ts'
import type { Db, Tx } from '#db/connect.ts'
import { notFound } from '../http/errors.ts'
import type { Answer } from '../http/http.ts'
import { answerList, everyWord, type PageQuery } from '../http/lists.ts'
import { listEntriesOfPayment } from '../ledger/lines.ts'
import { percentOf } from '../percent.ts'
import type { Reader } from '../viewer.ts'

/** Without its difference; reversed entries stay visible in the payment, but only what is owed or paid counts. */
const behind = sql<string>`coalesce((
  select sum(amount) from commission_entry where payment_id = payment.id and state <> 'reversed' and of_payment is null), 0.00)`

const paymentRows = (db: Db | Tx) =>
  db
    .selectFrom('payment')
    .innerJoin('issuer', 'issuer.id', 'payment.issuer_id')
    .innerJoin('affiliate', 'affiliate.id', 'payment.affiliate_id')
    .where('payment.archived_at', 'is', null)
    .select([
      'payment.id',
      'payment.relationship_id as relationship',
      'payment.affiliate_id as affiliate',
      'payment.issuer_id as issuer',
      'issuer.company_name as issuer_name',
      'affiliate.company_name as affiliate_name',
      'payment.period_start',
      'payment.period_end',
      sql<number>`payment.period_end - payment.period_start + 1`.as('period_duration_days'),
      'payment.total_leads',
      'payment.total_conversions',
      'payment.total_amount',
      behind.as('entries_amount'),
      'payment.calculated_amount',
      'payment.adjustment_reason',
      'payment.cancel_reason',
      'payment.paid_at',
      'payment.payment_status',
      'payment.payment_date',
      'payment.notes',
      'payment.created_at',
      'payment.updated_at',
    ])

/** Every read of payments starts here, so no caller can forget whose rows these are. */
export function visiblePayments(db: Db | Tx, viewer: Reader) {
  const rows = paymentRows(db)
  switch (viewer.role) {
    case 'admin':
      return rows
    case 'issuer':
      return rows.where('payment.issuer_id', '=', viewer.issuerId)
    case 'affiliate':
      return rows.where('payment.affiliate_id', '=', viewer.affiliateId)
  }
}

type Row = Awaited<ReturnType<ReturnType<typeof visiblePayments>['execute']>>[number]

/** What the amount adds to the entries or takes from them on purpose; not what became of the entries since. */
export const adjustmentOf = (row: Pick<Row, 'total_amount' | 'calculated_amount'>): string =>
  subtractAmounts(row.total_amount, row.calculated_amount)

const toPayment = (row: Row): Payment => ({
  ...row,
  conversion_rate: percentOf(row.total_conversions, row.total_leads),
  adjustment: adjustmentOf(row),
  payment_status: row.payment_status as Payment['payment_status'],
})

/** The rows of a list of payments, in order; for a page, the whole list or a file. */
export function filteredPayments(db: Db | Tx, viewer: Reader, filters: PaymentFilters) {
  let rows = visiblePayments(db, viewer)
  if (filters.affiliate) rows = rows.where('payment.affiliate_id', '=', filters.affiliate)
  if (filters.issuer) rows = rows.where('payment.issuer_id', '=', filters.issuer)
  if (filters.relationship) rows = rows.where('payment.relationship_id', '=', filters.relationship)
  if (filters.payment_status) rows = rows.where('payment.payment_status', '=', filters.payment_status)
  if (filters.search)
    rows = rows.where(
      everyWord(
        filters.search,
        ['affiliate.company_name', 'issuer.company_name'].map((f) => sql.ref(f)),
      ),
    )
  return rows.orderBy('payment.period_start', 'desc').orderBy('payment.id', 'desc')
}

export const listPayments = (db: Db, viewer: Reader, filters: PaymentFilters): Promise<Payment[] | Answer<Payment[]>> =>
  answerList(filteredPayments(db, viewer, filters), filters, toPayment)

/** Throws 404 when the viewer does not see it. */
export async function getPayment(db: Db | Tx, viewer: Reader, id: number): Promise<Payment> {
  const row = await visiblePayments(db, viewer).where('payment.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Pago')
  return toPayment(row)
}

export async function listPaymentEntries(db: Db, viewer: Reader, id: number, page: PageQuery): Promise<EntryPage> {
  await getPayment(db, viewer, id)
  return listEntriesOfPayment(db, id, page)
}

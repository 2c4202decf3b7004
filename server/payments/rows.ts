import { sql } from 'kysely'
import { subtractAmounts } from '#contract/money.ts'
import { paymentProblems } from '#contract/payment-rules.ts'
import {
  ADJUSTMENT_REASON_MIN,
  ADJUSTMENT_REASON_SHORT,
  CANCEL_REASON_REQUIRED,
  PAID_STAYS,
} from '#contract/payment-texts.ts'
import type { Payment, PaymentUpdate } from '#contract/payments.ts'
import { NOTE_LENGTH, Reason } from '#contract/rulings.ts'
import type { Tx } from '#db/connect.ts'
import { AppError, invalid, notFound } from '../http/errors.ts'
import { hasOpenEntries } from '../ledger/claims.ts'

/**
 * The pair that is paid: it works together, or ended with something left to pay (D79). The lock keeps the relationship as it
 * is meanwhile; that no two payments hold one entry comes of the locks of the entries (ledger/claims.ts).
 */
export async function lockPayablePair(tx: Tx, relationshipId: number) {
  const row = await tx
    .selectFrom('relationship')
    .select(['affiliate_id', 'issuer_id', 'relationship_status', 'archived_at'])
    .where('id', '=', relationshipId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw invalid('relationship', 'Debe seleccionar una relación')
  const pair = { affiliate_id: row.affiliate_id, issuer_id: row.issuer_id }
  const works = row.archived_at === null && row.relationship_status === 'active'
  if (works || (await hasOpenEntries(tx, pair))) return pair
  throw invalid('relationship', row.archived_at ? 'Debe seleccionar una relación' : 'La relación está inactiva')
}

export async function lockPayment(tx: Tx, id: number) {
  const row = await tx
    .selectFrom('payment')
    .select([
      'id',
      'relationship_id',
      'affiliate_id',
      'issuer_id',
      'period_start',
      'period_end',
      'total_leads',
      'total_conversions',
      'total_amount',
      'calculated_amount',
      'adjustment_reason',
      'payment_date',
      'paid_at',
      'cancel_reason',
      'notes',
      'updated_at',
    ])
    .select((eb) => eb.ref('payment_status').$castTo<Payment['payment_status']>().as('payment_status'))
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('Pago')
  return row
}

export type PaymentRow = Awaited<ReturnType<typeof lockPayment>>

export const labelOf = ({ period_start, period_end }: { period_start: string; period_end: string }) =>
  `${period_start} - ${period_end}`

const TEXTS = ['notes', 'adjustment_reason', 'cancel_reason'] as const

/** A text that is sent as null is emptied; one that is not sent stays. */
export const inRow = <Form extends { [K in (typeof TEXTS)[number]]?: string | null | undefined }>(form: Form) => {
  const texts = TEXTS.filter((name) => form[name] === null).map((name) => [name, ''])
  return { ...form, ...Object.fromEntries(texts) } as Omit<Form, (typeof TEXTS)[number]> & {
    [K in (typeof TEXTS)[number]]?: string
  }
}

/** What follows from the status: the moment it was paid first, and the reason for which it is cancelled. */
export function lifeOf(
  after: Pick<Payment, 'payment_status'> & { cancel_reason?: string | undefined },
  before?: PaymentRow,
): Partial<PaymentRow> {
  const isNewlyPaid = after.payment_status === 'paid' && !before?.paid_at
  const isCancelled = after.payment_status === 'cancelled'
  if (isCancelled && before?.paid_at) expectCancelReason(after.cancel_reason, before)
  return {
    ...(isNewlyPaid && { paid_at: sql<string>`now()` as unknown as string }),
    ...(!isCancelled && { cancel_reason: '' }),
  }
}

/** One that was taken before stays. */
function expectCancelReason(reason = '', before: PaymentRow): void {
  if (!reason) throw invalid('cancel_reason', CANCEL_REASON_REQUIRED)
  const isTaken = before.payment_status === 'cancelled' && before.cancel_reason === reason
  if (!isTaken && !Reason.safeParse(reason).success) throw invalid('cancel_reason', NOTE_LENGTH)
}

/**
 * Why a total is not that of its commissions: whoever writes it writes words, and once money was sent somebody has to. One
 * that was taken before stays.
 */
export function expectAdjustmentReason(after: Sums, before?: Sums & Pick<PaymentRow, 'paid_at'>): void {
  const reason = after.adjustment_reason
  const isMoved = differenceOf(after) !== '0.00' && (!before || differenceOf(after) !== differenceOf(before))
  const isWritten = reason !== '' && reason !== before?.adjustment_reason
  if ([...reason].length >= ADJUSTMENT_REASON_MIN) return
  if (isWritten || (isMoved && before?.paid_at)) throw invalid('adjustment_reason', ADJUSTMENT_REASON_SHORT)
}

type Sums = Pick<PaymentRow, 'total_amount' | 'calculated_amount' | 'adjustment_reason'>

const differenceOf = ({ total_amount, calculated_amount }: Sums): string =>
  subtractAmounts(total_amount, calculated_amount)

export const staysPaid = (before: PaymentRow, { payment_status = before.payment_status }: PaymentUpdate): boolean =>
  before.payment_status === 'paid' && payment_status === 'paid'

/** What was transferred to somebody for something is not of somebody else, for something else, or another sum. */
export function expectPaidStays(before: PaymentRow, form: PaymentUpdate): void {
  if (!staysPaid(before, form)) return
  const held = { ...before, relationship: before.relationship_id }
  const moved = PAID_FIELDS.filter((field) => form[field] !== undefined && form[field] !== held[field])
  if (!moved.length && form.upto === undefined) return
  const fieldErrors = Object.fromEntries(moved.map((field) => [field, [PAID_STAYS]]))
  throw new AppError(409, 'PAID_STAYS', PAID_STAYS, { fieldErrors })
}

const PAID_FIELDS = [
  ...(['relationship', 'period_start', 'period_end', 'payment_date'] as const),
  ...(['total_leads', 'total_conversions', 'total_amount'] as const),
] as const

/** The rules across fields, on the resulting row: an update may bring only one of the fields. */
export function expectConsistent(payment: PaymentRow): void {
  const problems = paymentProblems(payment)
  if (!problems.length) return
  const errors = problems.map(({ message }) => message)
  const fieldErrors = Object.fromEntries(problems.map(({ path, message }) => [path, [message]]))
  throw new AppError(422, 'VALIDATION_ERROR', errors.join(', '), { errors, fieldErrors })
}

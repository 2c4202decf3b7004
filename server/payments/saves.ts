import { sql } from 'kysely'
import { PAYMENT_PAID, type PaymentWarning } from '#contract/payment-texts.ts'
import type { Payment, PaymentCreate, PaymentUpdate } from '#contract/payments.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit, auditChange } from '../audit.ts'
import { announcePayment, occurrenceOf } from '../deliveries/occurrences.ts'
import { expectElevated } from '../http/access.ts'
import { conflict, violates } from '../http/errors.ts'
import { Answer, expectUnchanged } from '../http/http.ts'
import { releaseEntries } from '../ledger/claims.ts'
import type { Viewer } from '../viewer.ts'
import { removeDifference, saveDifference } from './difference.ts'
import { calculationIn, claim, moveEntries } from './entries.ts'
import { getPayment } from './queries.ts'
import {
  expectAdjustmentReason,
  expectConsistent,
  expectPaidStays,
  inRow,
  labelOf,
  lifeOf,
  lockPayablePair,
  lockPayment,
  type PaymentRow,
} from './rows.ts'

export async function createPayment(
  db: Db,
  viewer: Viewer,
  { relationship, entries_amount, upto, ...form }: PaymentCreate,
): Promise<Answer<Payment>> {
  if (form.payment_status === 'paid') expectElevated(viewer)
  return oncePerPeriod(() =>
    db.transaction().execute(async (tx) => {
      const pair = await lockPayablePair(tx, relationship)
      const row = { ...inRow(form), ...pair, relationship_id: relationship, payment_status: form.payment_status }
      const { id } = await tx
        .insertInto('payment')
        .values({ ...row, ...lifeOf(row) })
        .returning('id')
        .executeTakeFirstOrThrow()
      const payment = await lockPayment(tx, id)
      const { calculated_amount, warnings } = await claim(tx, payment, calculationIn({ entries_amount, upto }))
      expectAdjustmentReason({ ...payment, calculated_amount })
      const after = { ...row, calculated_amount }
      await tx.updateTable('payment').set({ calculated_amount }).where('id', '=', id).execute()
      await saveDifference(tx, viewer, { ...payment, calculated_amount })
      await audit(tx, viewer, { action: 'create', entity: 'payment', entityId: id, label: labelOf(row), after })
      await announceChange(tx, id, undefined, row)
      return answerPayment(tx, viewer, id, warnings)
    }),
  )
}

export async function updatePayment(
  db: Db,
  viewer: Viewer,
  id: number,
  sent: PaymentUpdate,
  ifMatch?: string,
): Promise<Answer<Payment>> {
  const { id: _, relationship, entries_amount, upto, ...form } = sent
  return oncePerPeriod(() =>
    db.transaction().execute(async (tx) => {
      const before = await lockPayment(tx, id)
      expectUnchanged(ifMatch, before.updated_at)
      expectPaidStays(before, sent)
      if (paysOrUndoes(before, form)) expectElevated(viewer)
      const pair = relationship !== undefined &&
        relationship !== before.relationship_id && {
          relationship_id: relationship,
          ...(await lockPayablePair(tx, relationship)),
        }
      const changes = { ...inRow(form), ...pair } as Partial<PaymentRow>
      const after = { ...before, ...changes }
      expectConsistent(after)
      Object.assign(changes, lifeOf(after, before))
      const save = async (some: Partial<PaymentRow>) => {
        if (Object.keys(some).length) await tx.updateTable('payment').set(some).where('id', '=', id).execute()
      }
      // Like a new payment: its place among those of the pair first, then the entries.
      await save(changes)
      const confirmed = { entries_amount, upto, hasReason: Boolean(form.adjustment_reason) }
      const moved = await moveEntries(tx, before, after, confirmed)
      await save(moved.changes)
      Object.assign(changes, moved.changes)
      expectAdjustmentReason({ ...after, ...moved.changes }, before)
      await saveDifference(tx, viewer, { ...after, ...moved.changes })
      await auditUpdate(tx, viewer, before, changes)
      await announceChange(tx, id, before, after)
      return answerPayment(tx, viewer, id, moved.warnings)
    }),
  )
}

/** Also of one that is no longer marked as paid: what was transferred would be owed again. */
const paysOrUndoes = (before: PaymentRow, { payment_status }: PaymentUpdate): boolean =>
  payment_status !== before.payment_status &&
  (payment_status === 'paid' || (payment_status === 'cancelled' && before.paid_at !== null))

export async function removePayment(db: Db, viewer: Viewer, id: number): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    const payment = await lockPayment(tx, id)
    if (payment.paid_at !== null) throw conflict(PAYMENT_PAID, 'PAYMENT_PAID')
    await tx.updateTable('payment').set({ archived_at: sql<string>`now()` }).where('id', '=', id).execute()
    await releaseEntries(tx, id, 'all')
    await removeDifference(tx, id)
    if (payment.payment_status !== 'cancelled') await announcePayment(tx, 'payment.cancelled', id)
    await audit(tx, viewer, {
      action: 'delete',
      entity: 'payment',
      entityId: id,
      label: labelOf(payment),
      before: { ...payment },
    })
  })
  return undefined
}

type Status = Pick<PaymentRow, 'payment_status'>

async function announceChange(tx: Tx, id: number, before: Status | undefined, after: Status): Promise<void> {
  const what = occurrenceOf(before, after)
  if (what) await announcePayment(tx, what, id)
}

/** Leaving the status "paid" is allowed, but always with a note in the audit trail (D44). */
async function auditUpdate(tx: Tx, viewer: Viewer, before: PaymentRow, changes: Partial<PaymentRow>): Promise<void> {
  const leavesPaid = before.payment_status === 'paid' && (changes.payment_status ?? 'paid') !== 'paid'
  await auditChange(tx, viewer, {
    entity: 'payment',
    label: labelOf({ ...before, ...changes }),
    before,
    after: { ...changes, ...(leavesPaid && { note: 'El pago dejó de estar pagado' }) },
  })
}

async function oncePerPeriod<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save()
  } catch (error) {
    if (violates(error, 'payment_pair_period_key'))
      throw conflict('Ya existe un pago de esta relación para el mismo periodo', 'DUPLICATE_PAYMENT')
    throw error
  }
}

async function answerPayment(tx: Tx, viewer: Viewer, id: number, claimed: PaymentWarning[]): Promise<Answer<Payment>> {
  const warnings = [...((await overlapsAnother(tx, id)) ? ['PERIOD_OVERLAP'] : []), ...claimed]
  return new Answer(await getPayment(tx, viewer, id), warnings.length ? { meta: { warnings } } : {})
}

/** Allowed with a warning: its entries are not paid twice, its days might be (D43). */
async function overlapsAnother(tx: Tx, id: number): Promise<boolean> {
  const other = await tx
    .selectFrom('payment')
    .innerJoin('payment as other', (join) =>
      join
        .onRef('other.affiliate_id', '=', 'payment.affiliate_id')
        .onRef('other.issuer_id', '=', 'payment.issuer_id')
        .onRef('other.period_start', '<=', 'payment.period_end')
        .onRef('other.period_end', '>=', 'payment.period_start')
        .onRef('other.id', '<>', 'payment.id'),
    )
    .where('payment.id', '=', id)
    .where('payment.payment_status', '<>', 'cancelled')
    .where('other.payment_status', '<>', 'cancelled')
    .where('other.archived_at', 'is', null)
    .select('other.id')
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

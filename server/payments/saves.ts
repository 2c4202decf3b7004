import { sql } from 'kysely'
import { type Payment, type PaymentCreate, type PaymentUpdate, paymentProblems } from '#contract/payments.ts'
import type { Db, Tx } from '#db/connect.ts'
import { audit, auditChange } from '../audit.ts'
import { AppError, conflict, invalid, notFound, violates } from '../http/errors.ts'
import { Answer, expectUnchanged } from '../http/http.ts'
import { claimableAmount, claimEntries, releaseEntries, settleEntries } from '../ledger/claims.ts'
import type { Viewer } from '../viewer.ts'
import { getPayment } from './queries.ts'

/**
 * The pair that is paid. The lock serializes the payments of one relationship, so that of two overlapping ones the
 * later sees the entries of the earlier.
 */
async function lockActivePair(tx: Tx, relationshipId: number) {
  const pair = await tx
    .selectFrom('relationship')
    .select(['affiliate_id', 'issuer_id', 'relationship_status'])
    .where('id', '=', relationshipId)
    .where('archived_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!pair) throw invalid('relationship', 'Debe seleccionar una relación')
  if (pair.relationship_status !== 'active') throw invalid('relationship', 'La relación está inactiva')
  return { affiliate_id: pair.affiliate_id, issuer_id: pair.issuer_id }
}

export async function createPayment(
  db: Db,
  viewer: Viewer,
  { relationship, ...form }: PaymentCreate,
): Promise<Answer<Payment>> {
  return oncePerPeriod(() =>
    db.transaction().execute(async (tx) => {
      const pair = await lockActivePair(tx, relationship)
      const row = { ...form, ...pair, relationship_id: relationship, notes: form.notes ?? '' }
      const { id } = await tx.insertInto('payment').values(row).returning('id').executeTakeFirstOrThrow()
      await claimEntries(tx, id, row.payment_status, row)
      await audit(tx, viewer, { action: 'create', entity: 'payment', entityId: id, label: labelOf(row), after: row })
      return answerPayment(tx, viewer, id)
    }),
  )
}

export async function updatePayment(
  db: Db,
  viewer: Viewer,
  id: number,
  { id: _, relationship, ...form }: PaymentUpdate,
  ifMatch?: string,
): Promise<Answer<Payment>> {
  return oncePerPeriod(() =>
    db.transaction().execute(async (tx) => {
      const before = await lockPayment(tx, id)
      expectUnchanged(ifMatch, before.updated_at)
      const pair = relationship !== undefined &&
        relationship !== before.relationship_id && {
          relationship_id: relationship,
          ...(await lockActivePair(tx, relationship)),
        }
      const changes = { ...form, ...pair, ...(form.notes === null && { notes: '' }) } as Partial<PaymentRow>
      const after = { ...before, ...changes }
      expectConsistent(after)
      if (Object.keys(changes).length) await tx.updateTable('payment').set(changes).where('id', '=', id).execute()
      await moveEntries(tx, before, after)
      await auditUpdate(tx, viewer, before, changes)
      return answerPayment(tx, viewer, id)
    }),
  )
}

export async function removePayment(db: Db, viewer: Viewer, id: number): Promise<undefined> {
  await db.transaction().execute(async (tx) => {
    const payment = await lockPayment(tx, id)
    await tx.updateTable('payment').set({ archived_at: sql<string>`now()` }).where('id', '=', id).execute()
    await releaseEntries(tx, id)
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

async function lockPayment(tx: Tx, id: number) {
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
      'payment_date',
      'notes',
      'updated_at',
    ])
    .select((eb) => eb.ref('payment_status').$castTo<Payment['payment_status']>().as('payment_status'))
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('Pago')
  return row
}

type PaymentRow = Awaited<ReturnType<typeof lockPayment>>

const labelOf = ({ period_start, period_end }: { period_start: string; period_end: string }) =>
  `${period_start} - ${period_end}`

/** The rules across fields, on the resulting row: an update may bring only one of the fields. */
function expectConsistent(payment: PaymentRow): void {
  const problems = paymentProblems(payment)
  if (!problems.length) return
  const errors = problems.map(({ message }) => message)
  const fieldErrors = Object.fromEntries(problems.map(({ path, message }) => [path, [message]]))
  throw new AppError(422, 'VALIDATION_ERROR', errors.join(', '), { errors, fieldErrors })
}

/**
 * The entries follow the payment: another period or pair claims anew, cancelling releases, paying settles. A payment
 * that is calculated again claims what accrued since; one that only changes its status keeps its entries.
 */
async function moveEntries(tx: Tx, before: PaymentRow, after: PaymentRow): Promise<void> {
  const claims = ['relationship_id', 'period_start', 'period_end'] as const
  const moved = claims.some((field) => before[field] !== after[field])
  const [wasOpen, isOpen] = [before, after].map((payment) => payment.payment_status !== 'cancelled')
  const stays = wasOpen && isOpen && !moved
  if (wasOpen && !stays) await releaseEntries(tx, after.id)
  if (stays) await settleEntries(tx, after.id, after.payment_status)
  if (isOpen && (!stays || (await isCalculatedAgain(tx, before, after))))
    await claimEntries(tx, after.id, after.payment_status, after)
}

/** Late entries whose amount is in the total must not be claimable by another payment. */
const isCalculatedAgain = async (tx: Tx, before: PaymentRow, after: PaymentRow): Promise<boolean> =>
  before.total_amount !== after.total_amount || after.total_amount === (await claimableAmount(tx, after.id, after))

/** Leaving the status "paid" is allowed, but always with a warning (D44). */
async function auditUpdate(tx: Tx, viewer: Viewer, before: PaymentRow, changes: Partial<PaymentRow>): Promise<void> {
  const unpaid = before.payment_status === 'paid' && (changes.payment_status ?? 'paid') !== 'paid'
  await auditChange(tx, viewer, {
    entity: 'payment',
    label: labelOf({ ...before, ...changes }),
    before,
    after: { ...changes, ...(unpaid && { note: 'El pago dejó de estar pagado' }) },
  })
}

async function oncePerPeriod<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save()
  } catch (error) {
    if (violates(error, 'payment_period_key'))
      throw conflict('Ya existe un pago de esta relación para el mismo periodo', 'DUPLICATE_PAYMENT')
    throw error
  }
}

async function answerPayment(tx: Tx, viewer: Viewer, id: number): Promise<Answer<Payment>> {
  const options = (await overlapsAnother(tx, id)) ? { meta: { warnings: ['PERIOD_OVERLAP'] } } : {}
  return new Answer(await getPayment(tx, viewer, id), options)
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

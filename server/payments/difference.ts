import { subtractAmounts } from '#contract/money.ts'
import type { Tx } from '#db/connect.ts'
import { stateUnder } from '../ledger/claims.ts'
import type { Viewer } from '../viewer.ts'
import type { PaymentRow } from './rows.ts'

const NOTHING = '0.00'
const WITHOUT_REASON = 'Sin motivo informado'

/**
 * What a total was typed above or below its commissions is an entry of its own, so that a payment is the sum of its
 * entries (check_payment_sum() refuses it otherwise). Another amount or pair is another entry, and the one before is reversed.
 */
export async function saveDifference(tx: Tx, viewer: Viewer, payment: PaymentRow): Promise<void> {
  const isOpen = payment.payment_status !== 'cancelled'
  const amount = isOpen ? subtractAmounts(payment.total_amount, payment.calculated_amount) : NOTHING
  const note = payment.adjustment_reason || WITHOUT_REASON
  const state = stateUnder(payment.payment_status)
  const before = await findDifference(tx, payment.id)
  const { id, relationship_id, affiliate_id, issuer_id, period_end } = payment
  if (before?.amount === amount && before.affiliate_id === affiliate_id && before.issuer_id === issuer_id) {
    if (before.note === note && before.state === state && before.due_on === period_end) return
    const changes = { note, state, due_on: period_end }
    await tx.updateTable('commission_entry').set(changes).where('id', '=', before.id).execute()
    return
  }
  if (before) await reverse(tx, before.id, isOpen ? 'El monto del pago cambió' : 'El pago se canceló')
  if (amount === NOTHING) return
  await tx
    .insertInto('commission_entry')
    .values({
      ...{ relationship_id, affiliate_id, issuer_id, amount, state, note },
      ...{ kind: 'adjustment', payment_id: id, of_payment: id, author_id: viewer.userId },
      ...{ due_on: period_end, converts: 0 },
    })
    .execute()
}

/** Of a payment that is removed. */
export async function removeDifference(tx: Tx, paymentId: number): Promise<void> {
  const before = await findDifference(tx, paymentId)
  if (before) await reverse(tx, before.id, 'El pago se eliminó')
}

const findDifference = (tx: Tx, paymentId: number) =>
  tx
    .selectFrom('commission_entry')
    .select(['id', 'amount', 'affiliate_id', 'issuer_id', 'note', 'state', 'due_on'])
    .where('of_payment', '=', paymentId)
    .where('state', '<>', 'reversed')
    .forNoKeyUpdate()
    .executeTakeFirst()

const reverse = (tx: Tx, id: number, reason: string) =>
  tx.updateTable('commission_entry').set({ state: 'reversed', payment_id: null, reason }).where('id', '=', id).execute()

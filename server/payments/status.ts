import type { BulkOutcome } from '#contract/bulk.ts'
import type { PaymentStatusForm } from '#contract/payment-changes.ts'
import { PAYMENT_DATE_REQUIRED } from '#contract/payment-texts.ts'
import type { PaymentUpdate } from '#contract/payments.ts'
import type { Db } from '#db/connect.ts'
import { eachAlone } from '../http/bulk.ts'
import { invalid } from '../http/errors.ts'
import type { Viewer } from '../viewer.ts'
import { getPayment } from './queries.ts'
import { updatePayment } from './saves.ts'

/** As if each were saved by itself in its form, which asks for a date where there is none. */
export const setPaymentStatus = (
  db: Db,
  viewer: Viewer,
  { ids, payment_status, payment_date, cancel_reason, seen }: PaymentStatusForm,
): Promise<BulkOutcome[]> =>
  eachAlone(ids, async (id) => {
    const before = await getPayment(db, viewer, id)
    if (before.payment_status === payment_status) return 'already'
    const form: PaymentUpdate = { payment_status }
    if (before.payment_date === null) {
      if (!payment_date) throw invalid('payment_date', PAYMENT_DATE_REQUIRED)
      form.payment_date = payment_date
    }
    if (payment_status === 'cancelled' && cancel_reason) form.cancel_reason = cancel_reason
    await updatePayment(db, viewer, id, form, seen?.[id])
    return 'updated'
  })

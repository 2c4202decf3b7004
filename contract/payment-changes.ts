import { z } from 'zod'
import { BulkIds, BulkOutcome } from './bulk.ts'
import { endpoint } from './endpoint.ts'
import { GivenDate, Moment } from './fields.ts'
import { PaymentReason, PaymentStatus } from './payments.ts'

export const PaymentStatusForm = z.object({
  ids: BulkIds,
  payment_status: PaymentStatus,
  /** For those that have none; without it they are refused. */
  payment_date: GivenDate.nullish(),
  /** Required by those that were paid when they are cancelled. */
  cancel_reason: PaymentReason.nullish(),
  /** By id, the `updated_at` of each as it was read; one that was saved since is refused. */
  seen: z.record(z.string(), Moment).optional(),
})
export type PaymentStatusForm = z.infer<typeof PaymentStatusForm>

/** Changes of many payments. */
export const paymentChanges = {
  setStatus: endpoint({
    need: 'money',
    method: 'POST',
    path: '/api/v1/payments/status/',
    access: ['admin'],
    summary: 'Cambiar el estado de hasta 500 pagos, cada uno por sí mismo; responde qué pasó con cada uno',
    body: PaymentStatusForm,
    response: z.array(BulkOutcome),
  }),
}

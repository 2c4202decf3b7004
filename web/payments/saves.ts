import { type PaymentWarning, paymentWarningTexts } from '#contract/payment-texts.ts'
import { type PaymentCreate, type PaymentUpdate, payments } from '#contract/payments.ts'
import { call, callWithMeta, type Outcome, type Seen } from '#web/api/client.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'
import { toast } from '#web/ui/toast.ts'

const SHOWN_MS = 12_000

const warningTitles: Record<PaymentWarning, string> = {
  PERIOD_OVERLAP: 'Revisa el periodo',
  ENTRIES_LEFT: 'Quedan comisiones por pagar',
  BALANCE_CARRIED: 'Saldo en contra',
}

/** Says what is odd about a payment that was saved all the same. */
async function warned<Data>(saving: Promise<Outcome<Data>>): Promise<Data> {
  const { data, warnings } = await saving
  for (const code of warnings) {
    const text = paymentWarningTexts[code as PaymentWarning]
    if (text)
      toast.warning(warningTitles[code as PaymentWarning], { description: `Se guardó. ${text}`, duration: SHOWN_MS })
  }
  return data
}

export const useCreatePayment = () =>
  useSave({
    save: (body: PaymentCreate, requestKey) => warned(callWithMeta(payments.create, { body, requestKey })),
    success: 'Pago creado exitosamente',
    refreshes: refreshedBy.payment,
  })

export const useUpdatePayment = () =>
  useSave({
    save: ({ id, updated_at, ...body }: PaymentUpdate & Seen) =>
      warned(callWithMeta(payments.update, { params: { id }, body: { id, ...body }, ifMatch: updated_at })),
    success: 'Pago actualizado exitosamente',
    list: keys.payments,
    refreshes: refreshedBy.payment,
  })

export const useRemovePayment = () =>
  useSave({
    save: (id: number) => call(payments.remove, { params: { id } }),
    success: 'Pago eliminado exitosamente',
    refreshes: refreshedBy.payment,
  })

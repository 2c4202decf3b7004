import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type PaymentWarning, paymentWarningTexts } from '#contract/payment-texts.ts'
import { type Payment, type PaymentCreate, type PaymentUpdate, payments } from '#contract/payments.ts'
import { call, callWithMeta, type Outcome, type Seen } from '#web/api/client.ts'
import { keys, refreshedBy } from '#web/api/queries.ts'
import { useSave } from '#web/api/query-client.ts'
import { wholeListQuery } from '#web/api/whole-list.ts'
import { toast } from '#web/ui/toast.ts'

export const paymentsQuery = () => wholeListQuery(keys.payments, payments.list)

/** Shows the list's row at once, then the fresh one. */
export const paymentQuery = (id: number, known: Payment | undefined) =>
  queryOptions({
    queryKey: [...keys.payments, id],
    queryFn: ({ signal }) => call(payments.get, { params: { id }, signal }),
    staleTime: 0,
    // Its panel says what failed.
    meta: { quiet: true },
    ...(known && { placeholderData: known }),
  })

/** What pairs earned and have not been paid; never cached, since events change it. */
export const balancesQuery = (of: { relationship?: number } = {}) =>
  queryOptions({
    queryKey: [...keys.payments, 'balances', of],
    queryFn: ({ signal }) => call(payments.balances, { query: of, signal }),
    staleTime: 0,
  })

/** The commissions behind a payment, a page at a time. */
export const paymentEntriesQuery = (id: number, page: number) =>
  queryOptions({
    queryKey: [...keys.payments, id, 'entries', page],
    queryFn: ({ signal }) => call(payments.entries, { params: { id }, query: { page, page_size: 25 }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** The payment on paper; never cached, since it is printed as it is now. */
export const statementQuery = (id: number) =>
  queryOptions({
    queryKey: [...keys.payments, id, 'statement'],
    queryFn: ({ signal }) => call(payments.statement, { params: { id }, signal }),
    staleTime: 0,
    gcTime: 0,
  })

/** What a payment is calculated from. */
export interface Asked {
  relationship: number
  period_start: string
  period_end: string
  /** The payment being edited: its own commissions count too. */
  payment?: number | undefined
}

/** Never cached: what has accrued since must count. */
export const previewQuery = (asked: Asked, page: number) =>
  queryOptions({
    queryKey: [...keys.payments, 'preview', asked, page],
    queryFn: ({ signal }) => call(payments.preview, { query: { ...asked, page, page_size: 25 }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })

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

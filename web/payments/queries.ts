import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Payment, payments } from '#contract/payments.ts'
import { call } from '#web/api/client.ts'
import { keys } from '#web/api/queries.ts'
import { wholeListQuery } from '#web/api/whole-list.ts'

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

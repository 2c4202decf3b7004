import { z } from 'zod'
import { Id, Moment, Money, PageNumber, PageSize, Pagination } from './fields.ts'

export const EntryState = z.enum(['accrued', 'in_payment', 'paid', 'reversed'])
export type EntryState = z.infer<typeof EntryState>
export const entryStateLabels: Record<EntryState, string> = {
  accrued: 'Devengada',
  in_payment: 'En pago',
  paid: 'Pagada',
  reversed: 'Revertida',
}

/** One line of the ledger: the commission that one lead earned at one step, at the amount in force then. */
export const CommissionEntry = z.object({
  id: Id,
  lead_id: Id,
  tracking_id: z.string(),
  external_id: z.string(),
  product_id: Id,
  product_name: z.string(),
  step_id: Id,
  step_name: z.string(),
  amount: Money,
  state: EntryState,
  /** When the event was stored; what decides the period. */
  earned_at: Moment,
  payment_id: Id.nullable(),
  reason: z.string().nullable(),
})
export type CommissionEntry = z.infer<typeof CommissionEntry>

export const entryPaging = {
  page: PageNumber.default(1),
  page_size: PageSize.default(50),
}

export const EntryPage = z.object({ results: z.array(CommissionEntry), pagination: Pagination })
export type EntryPage = z.infer<typeof EntryPage>

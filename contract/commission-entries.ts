import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { CalendarDate, GivenDate, Id, Moment, Money, PageNumber, PageSize, Pagination, QueryId } from './fields.ts'
import { heldAmong } from './holds.ts'

export const EntryState = z.enum(['accrued', 'in_payment', 'paid', 'reversed'])
export type EntryState = z.infer<typeof EntryState>
export const entryStateLabels: Record<EntryState, string> = {
  accrued: 'Devengada',
  in_payment: 'En pago',
  paid: 'Pagada',
  reversed: 'Revertida',
}

/** Where an entry stands on its way to the bank; `rejected` is every one that was reversed, also a bonus that was voided. */
export const Standing = z.enum([
  'validating',
  'awaiting',
  'held',
  'payable',
  'in_payment',
  'paid',
  'rejected',
  'charge',
])
export type Standing = z.infer<typeof Standing>
export const standingLabels: Record<Standing, string> = {
  validating: 'En validación',
  awaiting: 'Espera aprobación',
  held: 'Retenida',
  payable: 'Por pagar',
  in_payment: 'En pago',
  paid: 'Pagada',
  rejected: 'Rechazada',
  charge: 'Cargo por cancelación',
}

export const EntryKind = z.enum(['commission', 'reversal', 'restoration', 'bonus', 'adjustment'])
export type EntryKind = z.infer<typeof EntryKind>
export const entryKindLabels: Record<EntryKind, string> = {
  commission: 'Comisión',
  reversal: 'Cargo por cancelación',
  restoration: 'Reactivada',
  bonus: 'Bono',
  adjustment: 'Ajuste',
}

/**
 * One line of the ledger: the commission that one lead earned at one step, at the amount in force then; or a bonus or an
 * adjustment, which has neither lead nor step, and perhaps no product.
 */
export const CommissionEntry = z.object({
  id: Id,
  kind: EntryKind,
  lead_id: Id.nullable(),
  tracking_id: z.string().nullable(),
  external_id: z.string(),
  product_id: Id.nullable(),
  /** Empty without a product. */
  product_name: z.string(),
  step_id: Id.nullable(),
  /** Of a bonus or an adjustment, what it is. */
  step_name: z.string(),
  amount: Money,
  state: EntryState,
  /** When the event was stored. Figures go by this day, payments by `due_on`. */
  earned_at: Moment,
  payment_id: Id.nullable(),
  /** What became of it, and why. */
  reason: z.string().nullable(),
  /** Why a bonus or an adjustment was made. */
  note: z.string().nullable(),
})
export type CommissionEntry = z.infer<typeof CommissionEntry>

export const entryPaging = {
  page: PageNumber.default(1),
  page_size: PageSize.default(50),
}

export const EntryPage = z.object({ results: z.array(CommissionEntry), pagination: Pagination })
export type EntryPage = z.infer<typeof EntryPage>

/** A line of an affiliate's ledger, with what became of it. */
export const OwnEntry = CommissionEntry.extend({
  issuer_name: z.string(),
  standing: Standing,
  /** The day from which it can be paid; null while it waits for an approval. */
  due_on: CalendarDate.nullable(),
  /** The entry that this one takes back, or gives back. */
  reversal_of: Id.nullable(),
  payment_status: z.enum(['pending', 'processing', 'paid', 'cancelled']).nullable(),
  payment_date: CalendarDate.nullable(),
  /** Why its lead was rejected; of a person's finances only that it was about them. */
  reject_label: z.string().nullable(),
  /** What to do about it; one for all reasons about a person's finances. */
  advice: z.string().nullable(),
})
export type OwnEntry = z.infer<typeof OwnEntry>

const entryFilters = {
  state: EntryState.optional(),
  standing: Standing.optional(),
  product_id: QueryId.optional(),
  /** Days of Mexico City on which it was earned, both included. */
  from: GivenDate.optional(),
  to: GivenDate.optional(),
}
export const EntryFilters = z.object(entryFilters)
export type EntryFilters = z.infer<typeof EntryFilters>

export const OwnEntryPage = z.object({
  results: z.array(OwnEntry),
  pagination: Pagination,
  /** Of all that the filters leave, without what was reversed. */
  amount: Money,
  reversed_amount: Money,
})
export type OwnEntryPage = z.infer<typeof OwnEntryPage>

type Waiting = Pick<
  OwnEntry,
  | ('state' | 'standing' | 'due_on' | 'amount' | 'reason' | 'note' | 'reject_label' | 'advice')
  | ('payment_id' | 'payment_status' | 'payment_date')
>

/** What an entry waits for, or why it waits no longer, in a sentence; `day` says a date as people read it. */
export function waitsFor(entry: Waiting, day: (date: string) => string): string {
  const { state, payment_id, payment_date } = entry
  if (state === 'reversed') {
    const why = entry.reject_label === null ? entry.reason : `Lead rechazado: ${entry.reject_label}`
    return [why ?? 'Se revirtió', entry.advice].filter(Boolean).join('. ')
  }
  if (state === 'accrued') {
    if (entry.standing === 'held') return 'Retenida: no se paga hasta que se libere'
    if (entry.standing === 'awaiting') return 'Espera la aprobación del emisor'
    if (entry.standing === 'validating' && entry.due_on) return `En validación hasta el ${day(entry.due_on)}`
    if (entry.amount.startsWith('-')) return 'Se descontará de un pago próximo'
    const what = entry.reason ?? entry.note
    return what === null ? 'Espera entrar en un pago' : `${what}: espera entrar en un pago`
  }
  const when = payment_date && `el ${day(payment_date)}`
  if (state === 'paid') return `Pagada en el pago ${payment_id}${when ? `, ${when}` : ''}`
  const doing = entry.payment_status === 'processing' ? 'se está procesando' : 'está pendiente'
  return `Espera el pago ${payment_id}, que ${doing}${when ? ` y se hará ${when}` : ''}`
}

/** A commission that somebody has to approve before it can be paid. */
export const WaitingEntry = CommissionEntry.extend({
  affiliate: Id,
  affiliate_name: z.string(),
  issuer: Id,
  issuer_name: z.string(),
  /** The sum of what compensates it; it waits and is approved with it. */
  compensation: Money,
  /** It cannot be paid before it is released, approved or not; its affiliate reads 'Retenida'. */
  is_held: z.boolean(),
  /** Until then it cannot be paid, approved or not. */
  validation_ends_on: CalendarDate,
  /** Whole days since it was earned. */
  days: z.number().int(),
})
export type WaitingEntry = z.infer<typeof WaitingEntry>

export const WaitingFilters = z.object({
  product_id: QueryId.optional(),
  affiliate_id: QueryId.optional(),
  issuer_id: QueryId.optional(),
})
export type WaitingFilters = z.infer<typeof WaitingFilters>

export const WaitingPage = z.object({
  results: z.array(WaitingEntry),
  pagination: Pagination,
  /** Of all that the filters leave. */
  amount: Money,
  ...heldAmong,
})
export type WaitingPage = z.infer<typeof WaitingPage>

const APPROVE_MOST = 500

export const ApproveForm = z.object({
  ids: z
    .array(Id)
    .min(1, 'Selecciona al menos una comisión')
    .max(APPROVE_MOST, `Selecciona como máximo ${APPROVE_MOST} comisiones`)
    .refine((ids) => new Set(ids).size === ids.length, 'Una comisión está repetida'),
})
export type ApproveForm = z.infer<typeof ApproveForm>

export const Approval = z.object({
  id: Id,
  /** `rejected`: its lead was rejected meanwhile. */
  outcome: z.enum(['approved', 'already', 'rejected', 'not_found']),
})
export type Approval = z.infer<typeof Approval>

const approvers = ['admin', 'issuer'] as const

export const commissionEntries = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/commission-entries/',
    access: ['affiliate'],
    byKey: 'money',
    summary: 'Comisiones propias, la más reciente primero: qué las generó, su estado y su pago',
    query: z.object({ ...entryFilters, ...entryPaging }),
    response: OwnEntryPage,
  }),
  waiting: endpoint({
    method: 'GET',
    path: '/api/v1/commission-entries/waiting/',
    access: approvers,
    byKey: 'money',
    summary: 'Comisiones que esperan aprobación, la más antigua primero; el emisor ve las suyas',
    query: WaitingFilters.extend(entryPaging),
    response: WaitingPage,
  }),
  approve: endpoint({
    need: 'money',
    method: 'POST',
    path: '/api/v1/commission-entries/approve/',
    access: approvers,
    summary: 'Aprobar comisiones: entran al pago del periodo en que termina su validación',
    body: ApproveForm,
    response: z.array(Approval),
  }),
}

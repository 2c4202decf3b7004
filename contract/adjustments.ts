import { z } from 'zod'
import { EntryKind, EntryState, entryPaging } from './commission-entries.ts'
import { endpoint } from './endpoint.ts'
import {
  CalendarDate,
  GivenDate,
  Id,
  IdParams,
  Moment,
  Money,
  Pagination,
  QueryId,
  REQUIRED,
  signedAmountText,
} from './fields.ts'
import { ShownPair } from './relationships.ts'
import { Reason } from './rulings.ts'
import { dateInMexico } from './time.ts'

/** A bonus is for the affiliate; an adjustment corrects the books either way. */
export const AdjustmentKind = z.enum(['bonus', 'adjustment'], 'Selecciona un tipo')
export type AdjustmentKind = z.infer<typeof AdjustmentKind>

/**
 * An amount that a person wrote into the ledger, or the difference of a payment whose total was typed; or what took back a
 * compensation that was paid when its lead was rejected, and what gave it back.
 */
export const Adjustment = z.object({
  id: Id,
  kind: EntryKind.exclude(['commission']),
  affiliate: Id,
  affiliate_name: z.string(),
  issuer: Id,
  issuer_name: z.string(),
  product_id: Id.nullable(),
  /** Empty without a product. */
  product_name: z.string(),
  amount: Money,
  note: z.string(),
  state: EntryState,
  /** Why it was voided, taken back or given back. */
  reason: z.string().nullable(),
  /** The payment that holds it. */
  payment_id: Id.nullable(),
  /** The payment whose difference it is: it changes with that payment alone. */
  of_payment: Id.nullable(),
  /** The day from which it can be paid; null while the commission that it compensates waits for an approval. */
  due_on: CalendarDate.nullable(),
  created_at: Moment,
  /** For administrators; null where nobody was noted. */
  author_name: z.string().nullable(),
})
export type Adjustment = z.infer<typeof Adjustment>

const BONUS_POSITIVE = 'El bono debe ser mayor que cero'
const ADJUSTMENT_NOT_ZERO = 'El ajuste no puede ser cero'
export const DUE_PAST = 'La fecha no puede ser anterior a hoy'
export const PRODUCT_STRANGE = 'El producto no es de ese emisor'
export const ADJUSTMENT_LOCKED = 'Ya está en un pago: cancela el pago antes de anularlo, o corrígelo con otro ajuste'
export const ADJUSTMENT_ANSWERED = 'Ya lo movió lo que pasó con su lead: corrígelo con otro ajuste'
export const ADJUSTMENT_VOIDED = 'Ya está anulado'
export const ADJUSTMENT_OF_PAYMENT = 'Es la diferencia de un pago: cambia el monto del pago'

export const AdjustmentCreate = z
  .object({
    relationship: z.number('Debe seleccionar una relación').int().positive('Debe seleccionar una relación'),
    pair: ShownPair.nullish(),
    product_id: z.number(REQUIRED).int().positive().nullish(),
    kind: AdjustmentKind,
    amount: signedAmountText('El monto es requerido'),
    note: Reason,
    /** Today without it. */
    due_on: GivenDate.refine((day) => day >= dateInMexico(), DUE_PAST).nullish(),
  })
  .superRefine(({ kind, amount }, context) => {
    const message =
      kind === 'bonus' && (amount.startsWith('-') || amount === '0.00')
        ? BONUS_POSITIVE
        : amount === '0.00' && ADJUSTMENT_NOT_ZERO
    if (message) context.addIssue({ code: 'custom', path: ['amount'], message })
  })
export type AdjustmentCreate = z.infer<typeof AdjustmentCreate>

export const AdjustmentVoid = z.object({ note: Reason })
export type AdjustmentVoid = z.infer<typeof AdjustmentVoid>

export const AdjustmentFilters = z.object({
  affiliate_id: QueryId.optional(),
  issuer_id: QueryId.optional(),
  /** `adjustment`: all but bonuses. */
  kind: AdjustmentKind.optional(),
  state: EntryState.optional(),
})
export type AdjustmentFilters = z.infer<typeof AdjustmentFilters>

export const AdjustmentPage = z.object({
  results: z.array(Adjustment),
  pagination: Pagination,
  /** Of all that the filters leave, without what was voided. */
  amount: Money,
})
export type AdjustmentPage = z.infer<typeof AdjustmentPage>

export const adjustments = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/adjustments/',
    access: ['admin', 'issuer'],
    byKey: 'money',
    summary: 'Bonos y ajustes, los más recientes primero; el emisor ve los suyos',
    query: AdjustmentFilters.extend(entryPaging),
    response: AdjustmentPage,
  }),
  create: endpoint({
    need: 'money',
    method: 'POST',
    path: '/api/v1/adjustments/',
    access: ['admin'],
    summary: 'Registrar un bono o un ajuste con su motivo; entra al pago del periodo en que se puede pagar',
    body: AdjustmentCreate,
    response: Adjustment,
    status: 201,
    message: 'Movimiento registrado exitosamente',
  }),
  void: endpoint({
    need: 'money',
    method: 'POST',
    path: '/api/v1/adjustments/:id/void/',
    access: ['admin'],
    summary: 'Anular un bono o un ajuste que ningún pago tiene',
    params: IdParams,
    body: AdjustmentVoid,
    response: Adjustment,
    message: 'Movimiento anulado exitosamente',
  }),
}

import { z } from 'zod'
import { EntryPage, entryPaging } from './commission-entries.ts'
import { endpoint } from './endpoint.ts'
import {
  amountText,
  CalendarDate,
  GivenDate,
  Id,
  IdParams,
  ListQuery,
  Moment,
  Money,
  QueryId,
  SignedSum,
  Text,
  TOTAL_DIGITS,
} from './fields.ts'
import { PaymentPreview } from './payment-preview.ts'
import { CALCULATION_INCOMPLETE, consistent } from './payment-rules.ts'
import { statementParts } from './payment-statement.ts'
import { PAYMENT_DATE_REQUIRED } from './payment-texts.ts'
import { everyone } from './roles.ts'

export const PaymentStatus = z.enum(['pending', 'processing', 'paid', 'cancelled'])
export type PaymentStatus = z.infer<typeof PaymentStatus>
export const paymentStatusLabels: Record<PaymentStatus, string> = {
  pending: 'Pendiente',
  processing: 'Procesando',
  paid: 'Pagado',
  cancelled: 'Cancelado',
}

export const Payment = z.object({
  id: Id,
  relationship: Id,
  affiliate: Id,
  issuer: Id,
  issuer_name: z.string(),
  affiliate_name: z.string(),
  period_start: CalendarDate,
  period_end: CalendarDate,
  /** Both ends count. */
  period_duration_days: z.number().int(),
  total_leads: z.number().int(),
  total_conversions: z.number().int(),
  /** Percent with two decimals, e.g. 12.5 (D45). */
  conversion_rate: z.number(),
  total_amount: Money,
  /** Sum of the entries that it holds now. */
  entries_amount: Money,
  /** Their sum when the total was last calculated or confirmed; a rejection since makes it differ from the one of now. */
  calculated_amount: Money,
  /** What the total adds to or takes from that on purpose ('Ajuste'), and why. */
  adjustment: Money,
  adjustment_reason: z.string(),
  payment_status: PaymentStatus,
  payment_date: CalendarDate.nullable(),
  /** When it became paid for the first time; such a payment is never deleted, and is cancelled with a reason. */
  paid_at: Moment.nullable(),
  cancel_reason: z.string(),
  notes: z.string(),
  created_at: Moment,
  updated_at: Moment,
})
export type Payment = z.infer<typeof Payment>

const count = z
  .number('Debe ser un número positivo')
  .int('Debe ser un número positivo')
  .min(0, 'Debe ser un número positivo')
  .max(2_000_000_000)

/**
 * Commissions that one payment takes, more only where so many are deducted: what is done to all of them at once must end
 * within a statement's time.
 */
export const PAYMENT_ENTRIES_MAX = 50_000

export const REASON_LIMIT = 500
export const PaymentReason = Text.pipe(z.string().max(REASON_LIMIT, 'Máximo 500 caracteres'))

const paymentFields = z.object({
  relationship: z.number('Debe seleccionar una relación').int().positive('Debe seleccionar una relación'),
  period_start: z.string('La fecha de inicio es requerida').min(1, 'La fecha de inicio es requerida').pipe(GivenDate),
  period_end: z.string('La fecha de fin es requerida').min(1, 'La fecha de fin es requerida').pipe(GivenDate),
  total_leads: count,
  total_conversions: count,
  total_amount: amountText('El monto es requerido', TOTAL_DIGITS),
  payment_status: PaymentStatus,
  payment_date: z.string(PAYMENT_DATE_REQUIRED).min(1, PAYMENT_DATE_REQUIRED).pipe(GivenDate),
  notes: Text.pipe(z.string().max(500, 'Máximo 500 caracteres')).nullish(),
  /**
   * What a preview answered under these names: the payment takes the entries up to that one if they still have that
   * sum, else 409 PREVIEW_STALE. Without both, the total pays the oldest entries of the period that it covers whole; an
   * update then leaves the entries as they are. `entries_amount` alone names the sum of now, after 409 TOTAL_CHANGED.
   */
  entries_amount: SignedSum.optional(),
  upto: z.number(CALCULATION_INCOMPLETE).int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  adjustment_reason: PaymentReason.nullish(),
  cancel_reason: PaymentReason.nullish(),
})

export const PaymentCreate = consistent(
  paymentFields.extend({ payment_status: PaymentStatus.default('pending') }),
).refine(({ entries_amount, upto }) => entries_amount === undefined || upto !== undefined, {
  path: ['upto'],
  message: CALCULATION_INCOMPLETE,
})
export type PaymentCreate = z.infer<typeof PaymentCreate>

export const PaymentUpdate = consistent(paymentFields.extend({ id: Id }).partial())
export type PaymentUpdate = z.infer<typeof PaymentUpdate>

export const PaymentFilters = ListQuery.extend({
  affiliate: QueryId.optional(),
  issuer: QueryId.optional(),
  relationship: QueryId.optional(),
  payment_status: PaymentStatus.optional(),
})
export type PaymentFilters = z.infer<typeof PaymentFilters>

export const PreviewQuery = consistent(
  z.object({
    relationship: QueryId,
    period_start: GivenDate,
    period_end: GivenDate,
    payment: QueryId.optional(),
    ...entryPaging,
  }),
)
export type PreviewQuery = z.infer<typeof PreviewQuery>

export const BalanceFilters = z.object({
  affiliate: QueryId.optional(),
  issuer: QueryId.optional(),
  relationship: QueryId.optional(),
})
export type BalanceFilters = z.infer<typeof BalanceFilters>

/** What a pair earned and has not been paid, whether it still works together or not (D79). */
export const OpenBalance = z.object({
  /** By which it can be paid. */
  relationship: Id,
  affiliate: Id,
  issuer: Id,
  affiliate_name: z.string(),
  issuer_name: z.string(),
  state: z.enum(['active', 'inactive', 'archived']),
  /** Of either sign: in no payment yet, and in payments that are not paid yet. */
  accrued: Money,
  in_payment: Money,
  /** Of what is accrued, what cannot be paid yet: in validation, waiting for an approval, or held. */
  validating: Money,
  /** The day of the first accrued entry that can be paid. */
  since: CalendarDate.nullable(),
})
export type OpenBalance = z.infer<typeof OpenBalance>

export const PaymentStatement = z.object({ payment: Payment, ...statementParts })
export type PaymentStatement = z.infer<typeof PaymentStatement>

export const payments = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/payments/',
    access: everyone,
    byKey: 'money',
    summary: 'Pagos; cada quien ve los suyos',
    query: PaymentFilters,
    response: z.array(Payment),
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/v1/payments/preview/',
    access: ['admin'],
    summary: 'Lo que un pago de esta relación y periodo contendría',
    query: PreviewQuery,
    response: PaymentPreview,
  }),
  balances: endpoint({
    method: 'GET',
    path: '/api/v1/payments/balances/',
    access: ['admin'],
    summary: 'Saldos por pagar de cada pareja, también de relaciones terminadas (finiquito)',
    query: BalanceFilters,
    response: z.array(OpenBalance),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/payments/:id/',
    access: everyone,
    byKey: 'money',
    summary: 'Un pago',
    params: IdParams,
    response: Payment,
  }),
  entries: endpoint({
    method: 'GET',
    path: '/api/v1/payments/:id/entries/',
    access: everyone,
    byKey: 'money',
    summary: 'Las comisiones que respaldan un pago',
    params: IdParams,
    query: z.object(entryPaging),
    response: EntryPage,
  }),
  statement: endpoint({
    method: 'GET',
    path: '/api/v1/payments/:id/statement/',
    access: everyone,
    byKey: 'money',
    summary: 'El estado de un pago: las partes con su RFC y todas sus comisiones; con más de 10,000, 409',
    params: IdParams,
    response: PaymentStatement,
  }),
  create: endpoint({
    need: 'money',
    method: 'POST',
    path: '/api/v1/payments/',
    access: ['admin'],
    summary: 'Crear un pago; toma las comisiones devengadas del periodo',
    body: PaymentCreate,
    response: Payment,
    status: 201,
    message: 'Pago creado exitosamente',
  }),
  update: endpoint({
    need: 'money',
    method: 'PUT',
    path: '/api/v1/payments/:id/',
    access: ['admin'],
    summary: 'Actualizar un pago',
    params: IdParams,
    body: PaymentUpdate,
    response: Payment,
    message: 'Pago actualizado exitosamente',
  }),
  remove: endpoint({
    need: 'money',
    method: 'DELETE',
    path: '/api/v1/payments/:id/',
    access: ['admin'],
    summary: 'Eliminar un pago que nunca se pagó; sus comisiones vuelven a devengadas',
    params: IdParams,
    status: 204,
  }),
}

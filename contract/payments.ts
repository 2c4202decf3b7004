import { z } from 'zod'
import { EntryPage, entryPaging } from './commission-entries.ts'
import { endpoint } from './endpoint.ts'
import {
  amountText,
  CalendarDate,
  Id,
  IdParams,
  ListQuery,
  Moment,
  Money,
  QueryId,
  Text,
  TOTAL_DIGITS,
} from './fields.ts'
import { everyone } from './roles.ts'
import { dateInMexico } from './time.ts'

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
  /** Sum of the entries behind it, and what the typed amount adds to or takes from it ('Ajuste'). */
  entries_amount: Money,
  adjustment: Money,
  payment_status: PaymentStatus,
  payment_date: CalendarDate.nullable(),
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

const paymentFields = z.object({
  relationship: z.number('Debe seleccionar una relación').int().positive('Debe seleccionar una relación'),
  period_start: z
    .string('La fecha de inicio es requerida')
    .min(1, 'La fecha de inicio es requerida')
    .pipe(CalendarDate),
  period_end: z.string('La fecha de fin es requerida').min(1, 'La fecha de fin es requerida').pipe(CalendarDate),
  total_leads: count,
  total_conversions: count,
  total_amount: amountText('El monto es requerido', TOTAL_DIGITS),
  payment_status: PaymentStatus,
  payment_date: z.string('La fecha de pago es requerida').min(1, 'La fecha de pago es requerida').pipe(CalendarDate),
  notes: Text.pipe(z.string().max(500, 'Máximo 500 caracteres')).nullish(),
})

interface Totals {
  period_start?: string | undefined
  period_end?: string | undefined
  total_leads?: number | undefined
  total_conversions?: number | undefined
}

interface Rule {
  path: keyof Totals
  message: string
  /** False where a field it needs is missing or not readable yet. */
  broken: (payment: Totals) => boolean
}

const bothAre = <T>(type: string, a: T | undefined, b: T | undefined): boolean => typeof a === type && typeof b === type

/** D42 and the specification's section 5. "Today" is Mexico City's. */
const rules: Rule[] = [
  {
    path: 'period_start',
    message: 'La fecha de inicio no puede ser futura',
    broken: ({ period_start: start }) => typeof start === 'string' && start > dateInMexico(),
  },
  {
    path: 'period_end',
    message: 'La fecha de fin debe ser posterior a la fecha de inicio',
    broken: ({ period_start: start, period_end: end }) =>
      bothAre('string', start, end) && end !== '' && String(end) <= String(start),
  },
  {
    path: 'period_end',
    message: 'La fecha de fin no puede ser futura',
    broken: ({ period_end: end }) => typeof end === 'string' && end > dateInMexico(),
  },
  {
    path: 'total_conversions',
    message: 'Las conversiones no pueden ser mayores que los leads',
    broken: ({ total_leads: leads, total_conversions: conversions }) =>
      bothAre('number', leads, conversions) && Number(conversions) > Number(leads),
  },
]

export const paymentProblems = (payment: Totals): Rule[] => rules.filter((rule) => rule.broken(payment))

/** The rules speak even while other fields are still wrong, so that a form says all it has to say at once. */
const consistent = <S extends z.ZodType<Totals>>(schema: S): S =>
  rules.reduce(
    (checked, { path, message, broken }) =>
      checked.refine((payment) => !broken(payment as Totals), {
        path: [path],
        message,
        when: ({ value }) => typeof value === 'object' && value !== null,
      }),
    schema,
  )

export const PaymentCreate = consistent(paymentFields.extend({ payment_status: PaymentStatus.default('pending') }))
export type PaymentCreate = z.infer<typeof PaymentCreate>

export const PaymentUpdate = consistent(paymentFields.extend({ id: Id }).partial())
export type PaymentUpdate = z.infer<typeof PaymentUpdate>

/** Codes in `meta.warnings`: saved all the same; no commission is paid twice, but days might be (D43). */
export const paymentWarningTexts = {
  PERIOD_OVERLAP: 'El periodo se traslapa con otro pago de esta relación.',
} as const

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
    period_start: CalendarDate,
    period_end: CalendarDate,
    payment: QueryId.optional(),
    ...entryPaging,
  }),
)
export type PreviewQuery = z.infer<typeof PreviewQuery>

/** What a payment of this relationship and period would hold (api.md 5). */
export const PaymentPreview = z.object({
  total_leads: z.number(),
  total_conversions: z.number(),
  conversion_rate: z.number(),
  total_amount: Money,
  entries: EntryPage,
  /** Entries of the period that other payments hold; not counted above. */
  held_elsewhere: z.array(z.object({ payment_id: Id, entries: z.number(), amount: Money })),
  /**
   * Accrued entries of the pair from days before the period, which no payment holds: earned late on the last day of a
   * payment made that same day, or in days that no payment covers. `since` is the day of the first one.
   */
  unpaid_before: z.object({ entries: z.number(), amount: Money, since: z.iso.date().nullable() }),
})
export type PaymentPreview = z.infer<typeof PaymentPreview>

export const payments = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/payments/',
    access: everyone,
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
  get: endpoint({
    method: 'GET',
    path: '/api/v1/payments/:id/',
    access: everyone,
    summary: 'Un pago',
    params: IdParams,
    response: Payment,
  }),
  entries: endpoint({
    method: 'GET',
    path: '/api/v1/payments/:id/entries/',
    access: everyone,
    summary: 'Las comisiones que respaldan un pago',
    params: IdParams,
    query: z.object(entryPaging),
    response: EntryPage,
  }),
  create: endpoint({
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
    method: 'DELETE',
    path: '/api/v1/payments/:id/',
    access: ['admin'],
    summary: 'Eliminar un pago; sus comisiones vuelven a devengadas',
    params: IdParams,
    status: 204,
  }),
}

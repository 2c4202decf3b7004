import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { GivenDate, Id, IdParams, ListQuery, Moment, Money, payoutText, QueryId } from './fields.ts'
import { Reason } from './rulings.ts'
import { dateInMexico } from './time.ts'

/** Whom a rate pays for what: an affiliate, or each that has none of its own; by one step, or by each without its own. */
const scope = {
  product: Id,
  product_name: z.string(),
  affiliate: Id.nullable(),
  affiliate_name: z.string().nullable(),
  step: Id.nullable(),
  step_name: z.string().nullable(),
  issuer: Id,
  issuer_name: z.string(),
}

/** What was earned for a product from a moment on (D76, D77). To an affiliate, what it earned itself. */
export const Rate = z.object({
  id: Id,
  ...scope,
  valid_from: Moment,
  /** What held before; null where there was none. */
  from: Money.nullable(),
  /** Null where it ended. */
  to: Money.nullable(),
})
export type Rate = z.infer<typeof Rate>

export const RateFilters = ListQuery.pick({ page: true, page_size: true }).extend({
  product_id: QueryId.optional(),
  affiliate_id: QueryId.optional(),
})
export type RateFilters = z.infer<typeof RateFilters>

/** An amount of a commission or of a product, and who set it. */
export const RateChange = z.object({
  id: Id,
  /** Leads that click after it earn `to`; those of before, the better of `to` and what held at their click (D77). */
  changed_at: Moment,
  from: Money.nullable(),
  to: Money.nullable(),
  /** Of which step alone it is; null of all others. */
  step_name: z.string().nullable(),
  /** Empty where the viewer may not know the person: issuers read the names of their own people alone. */
  actor_name: z.string(),
  actor_role: z.string(),
})
export type RateChange = z.infer<typeof RateChange>

/** What will be paid, and from when on. */
export const Announced = z.object({ id: Id, payout: Money, since: Moment })
export type Announced = z.infer<typeof Announced>

export const PAST_RATE = 'La fecha debe ser futura'
export const RATE_EXISTS = 'Ya hay un cambio programado para ese momento'

/** What is paid where neither the commission of a pair nor its one amount says it all. */
export const RateInForce = z.object({
  /** Of the amount in force, else of the next one. */
  id: Id,
  ...scope,
  /** Of whom it is; null of the product. */
  commission: Id.nullable(),
  /** Null before the first begins. */
  payout: Money.nullable(),
  since: Moment.nullable(),
  next: Announced.nullable(),
})
export type RateInForce = z.infer<typeof RateInForce>

export const RateInForceFilters = ListQuery.extend({ product_id: QueryId.optional() })
export type RateInForceFilters = z.infer<typeof RateInForceFilters>

const ONE_OWNER = 'Indica la comisión o el producto, no ambos'

export const COMPENSATION_STALE = 'Lo devengado cambió mientras tanto. Revisa de nuevo lo que se compensa.'
/** Adjustments of one change: they are written at once. */
export const COMPENSATION_MAX = 20_000
export const COMPENSATION_TOO_LARGE = 'Son más de 20,000 comisiones: elige un día más reciente'
export const COMPENSATED =
  'Un pago tiene o tuvo ajustes que compensan con este cambio: no se puede cancelar. Programa otro cambio.'

export const CANCELLED_BY_ADMIN =
  'Este cambio compensa lo ya devengado con ajustes: solo un administrador puede cancelarlo.'

/** From this day on what was earned is brought to the new amount by adjustments. */
export const Since = GivenDate.refine((day) => day <= dateInMexico(), 'La fecha no puede ser posterior a hoy')

/** Another amount: of a commission, or of a product for each affiliate without one; by one step, or by all. */
const change = <Compensation extends z.ZodType>(compensation: Compensation) =>
  z
    .object({
      commission_id: z.number('Selecciona una comisión').int().positive('Selecciona una comisión').optional(),
      product_id: z.number('Selecciona un producto').int().positive('Selecciona un producto').optional(),
      event_step_id: z.number('Selecciona un paso').int().positive('Selecciona un paso').nullish(),
      amount: payoutText('El payout es requerido'),
      /** With its offset, to the millisecond; left out, it holds from now on. */
      valid_from: z.iso
        .datetime({ offset: true, error: 'Fecha inválida' })
        .transform((moment) => new Date(moment).toISOString())
        .nullish(),
      /** Administrators alone. */
      compensation: compensation.nullish(),
    })
    .refine(({ commission_id, product_id }) => commission_id !== undefined || product_id !== undefined, {
      ...{ path: ['product_id'], error: 'Selecciona un producto' },
    })
    .refine(({ commission_id, product_id }) => commission_id === undefined || product_id === undefined, {
      ...{ path: ['product_id'], error: ONE_OWNER },
    })

export const RateAsked = change(z.object({ since: Since }))
export type RateAsked = z.infer<typeof RateAsked>

/** With why, and with what the preview showed: something else is refused. */
export const RateCreate = change(
  z.object({ since: Since, note: Reason, entries: z.number().int().min(0), amount: Money }),
)
export type RateCreate = z.infer<typeof RateCreate>

/**
 * Adjustments that would be written, how many of them of commissions that are paid, and their sum; and how many
 * commissions are left out since they are held.
 */
export const Compensation = z.object({
  entries: z.number().int(),
  paid: z.number().int(),
  amount: Money,
  held: z.number().int(),
})
export type Compensation = z.infer<typeof Compensation>

/** Adjustments that a change came with, as they stand now, how many of them payments have or had, and their sum. */
export const Compensated = z.object({ entries: z.number().int(), locked: z.number().int(), amount: Money })
export type Compensated = z.infer<typeof Compensated>

/** What the change would have meant for one of those that it pays. */
export const RateMeaning = z.object({
  affiliate: Id,
  affiliate_name: z.string(),
  /** In force when it begins, as far as known; by a step of its own, another one. */
  from: Money.nullable(),
  earned: z.number().int(),
  difference: Money,
})
export type RateMeaning = z.infer<typeof RateMeaning>

/** What a change would have meant for the last thirty days. */
export const RatePreview = z.object({
  /** Of this scope, in force when it begins, as far as known. */
  from: Money.nullable(),
  to: Money,
  /** How often a lead earned what it replaces in the last thirty days, and what another amount adds or takes. */
  earned: z.number().int(),
  difference: Money,
  /** Earned and not paid: these keep their amount. */
  kept: z.number().int(),
  kept_amount: Money,
  /** Where it was asked for. */
  compensation: Compensation.nullable(),
  /** How many affiliates it pays, and the two hundred for whom it means most. */
  affiliate_count: z.number().int(),
  affiliates: z.array(RateMeaning),
})
export type RatePreview = z.infer<typeof RatePreview>

const writers = ['admin', 'issuer'] as const

export const rates = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/rates/',
    access: ['admin', 'issuer', 'affiliate'],
    summary: 'Lo que cada afiliado gana por cada producto desde cuándo, lo último primero; cada quien ve lo suyo',
    query: RateFilters,
    response: z.array(Rate),
  }),
  inForce: endpoint({
    method: 'GET',
    path: '/api/v1/rates/in-force/',
    access: writers,
    summary: 'Tarifas generales de los productos y montos por paso, vigentes o programados; el emisor ve los suyos',
    query: RateInForceFilters,
    response: z.array(RateInForce),
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/v1/rates/:id/history/',
    access: writers,
    summary:
      'Quién fijó qué monto desde cuándo: de la tarifa general de un producto con sus pasos, o del monto de un paso',
    params: IdParams,
    query: ListQuery.pick({ page: true, page_size: true }),
    response: z.array(RateChange),
  }),
  compensated: endpoint({
    method: 'GET',
    path: '/api/v1/rates/:id/compensated/',
    access: writers,
    summary:
      'Los ajustes con los que un cambio de monto compensa lo ya devengado: se anulan si se cancela antes de su fecha',
    params: IdParams,
    response: Compensated,
  }),
  preview: endpoint({
    need: 'money',
    method: 'POST',
    path: '/api/v1/rates/preview/',
    access: writers,
    summary:
      'Lo que significaría otro monto con los leads de los últimos 30 días, y lo que compensaría de lo ya devengado; no guarda nada',
    body: RateAsked,
    response: RatePreview,
  }),
  create: endpoint({
    repeatable: true,
    need: 'money',
    method: 'POST',
    path: '/api/v1/rates/',
    access: writers,
    summary:
      'Otro monto para una comisión o como tarifa general de un producto, para todos los pasos o uno, desde ya o desde un momento futuro, que el afiliado ve anunciado; un administrador puede compensar lo devengado desde un día con ajustes',
    body: RateCreate,
    response: Rate,
    status: 201,
    message: 'Cambio programado exitosamente',
  }),
  end: endpoint({
    need: 'money',
    method: 'POST',
    path: '/api/v1/rates/:id/end/',
    access: writers,
    summary:
      'Quitar desde ahora la tarifa general de un producto, o el monto de un paso; lo programado para ella se cancela',
    params: IdParams,
    message: 'Tarifa quitada exitosamente',
  }),
  cancel: endpoint({
    need: 'money',
    method: 'POST',
    path: '/api/v1/rates/:id/cancel/',
    access: writers,
    summary:
      'Cancelar un cambio de monto que aún no empieza; los ajustes con los que compensa se anulan, y entonces lo cancela un administrador',
    params: IdParams,
    message: 'Cambio cancelado exitosamente',
  }),
}

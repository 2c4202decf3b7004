import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { amountText, Id, IdParams, ListQuery, Moment, Money, QueryId } from './fields.ts'

/** What an affiliate earned for a product from a moment on (D76, D77). */
export const Rate = z.object({
  id: Id,
  product: Id,
  product_name: z.string(),
  affiliate: Id,
  affiliate_name: z.string(),
  issuer: Id,
  issuer_name: z.string(),
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

/** What a pair will be paid, and from when on. */
export const Announced = z.object({ id: Id, payout: Money, since: Moment })
export type Announced = z.infer<typeof Announced>

export const PAST_RATE = 'La fecha debe ser futura'
export const RATE_EXISTS = 'Ya hay un cambio programado para ese momento'

/** Another amount for a commission, from a moment to come. */
export const RateCreate = z.object({
  commission_id: z.number('Selecciona una comisión').int().positive('Selecciona una comisión'),
  amount: amountText('El payout es requerido'),
  /** With its offset, to the millisecond. */
  valid_from: z.iso
    .datetime({ offset: true, error: 'Fecha inválida' })
    .transform((moment) => new Date(moment).toISOString()),
})
export type RateCreate = z.infer<typeof RateCreate>

/** What a change would have meant for the last thirty days. */
export const RatePreview = z.object({
  /** In force when it begins, as far as known. */
  from: Money.nullable(),
  to: Money,
  /** How often a lead earned by this commission in the last thirty days, and what another amount adds or takes. */
  earned: z.number().int(),
  difference: Money,
  /** Earned and not paid: these keep their amount. */
  kept: z.number().int(),
  kept_amount: Money,
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
  preview: endpoint({
    method: 'POST',
    path: '/api/v1/rates/preview/',
    access: writers,
    summary: 'Lo que significaría otro monto con los leads de los últimos 30 días; no guarda nada',
    body: RateCreate,
    response: RatePreview,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/rates/',
    access: writers,
    summary: 'Programar otro monto para una comisión desde un momento futuro; el afiliado lo ve anunciado',
    body: RateCreate,
    response: Rate,
    status: 201,
    message: 'Cambio programado exitosamente',
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/v1/rates/:id/cancel/',
    access: writers,
    summary: 'Cancelar un cambio de monto que aún no empieza',
    params: IdParams,
    message: 'Cambio cancelado exitosamente',
  }),
}

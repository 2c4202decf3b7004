import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { CalendarDate, Id, IdParams, Line, ListQuery, Moment, Money, payoutText, QueryId, Text } from './fields.ts'
import { Announced, RateChange } from './rates.ts'

export const DUPLICATE_COMMISSION = 'Ya existe una configuración para este producto y afiliado'
export const PAIR_FIXED = 'El producto y el afiliado de una comisión no se pueden cambiar'
export const PAIR_MISMATCH = 'La relación no corresponde al producto y al afiliado'

/** What an issuer pays an affiliate for a lead that reaches a paying step of a product. */
export const Commission = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  product: Id,
  affiliate: Id,
  issuer: Id,
  relationship_id: Id,
  /** Its affiliate and its issuer work together; while they do not, it cannot be changed. */
  relationship_active: z.boolean(),
  /** In force now. */
  payout: Money,
  /** The next change that is announced. */
  next: Announced.nullable(),
  product_name: z.string(),
  affiliate_name: z.string(),
  issuer_name: z.string(),
  created_at: Moment,
  updated_at: Moment,
})
export type Commission = z.infer<typeof Commission>

/** A product with a step that pays, and an affiliate that promotes it and earns nothing, since no commission is set. */
export const CommissionGap = z.object({
  /** Of relationship and product. */
  id: z.string(),
  relationship_id: Id,
  product: Id,
  affiliate: Id,
  issuer: Id,
  product_name: z.string(),
  affiliate_name: z.string(),
  issuer_name: z.string(),
  /** How often a lead reached a step that pays and earned nothing, since there is no commission. */
  unpaid_events: z.number().int(),
  /** The day of the first of them. */
  unpaid_since: CalendarDate.nullable(),
})
export type CommissionGap = z.infer<typeof CommissionGap>

const commissionForm = {
  name: Line.pipe(
    z
      .string()
      .min(3, 'El nombre debe tener al menos 3 caracteres')
      .max(100, 'El nombre no puede exceder 100 caracteres'),
  ),
  description: Text.pipe(z.string().max(1000, 'La descripción no puede exceder 1000 caracteres')).nullish(),
  payout: payoutText('El payout es requerido'),
}

export const CommissionCreate = z.object({
  affiliate_id: z.number('Selecciona un afiliado').int().positive('Selecciona un afiliado'),
  product_id: z.number('Selecciona un producto').int().positive('Selecciona un producto'),
  /** Checked against the pair, never trusted (D40). */
  relationship_id: Id.nullish(),
  ...commissionForm,
})
export type CommissionCreate = z.infer<typeof CommissionCreate>

/** Product and affiliate may be resent but not changed (D40). */
export const CommissionUpdate = CommissionCreate.extend({ id: Id }).partial()
export type CommissionUpdate = z.infer<typeof CommissionUpdate>

export const COPY_REFUSED = 'Algún afiliado ya tiene comisión por este producto o ya no lo promueve. Revisa la lista.'

/** Who gets the same commission for the same product. */
export const CommissionCopy = z.object({
  affiliate_ids: z
    .array(Id)
    .min(1, 'Selecciona al menos un afiliado')
    .max(200, 'Selecciona como máximo 200 afiliados')
    .refine((ids) => new Set(ids).size === ids.length, 'Un afiliado está repetido'),
})
export type CommissionCopy = z.infer<typeof CommissionCopy>

export const CommissionFilters = ListQuery.extend({
  product_id: QueryId.optional(),
  affiliate_id: QueryId.optional(),
  issuer_id: QueryId.optional(),
})
export type CommissionFilters = z.infer<typeof CommissionFilters>

const access = ['admin', 'issuer'] as const

export const commissions = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/payouts/',
    access,
    summary: 'Comisiones configuradas; el emisor ve las suyas',
    query: CommissionFilters,
    response: z.array(Commission),
  }),
  gaps: endpoint({
    method: 'GET',
    path: '/api/v1/payouts/gaps/',
    access,
    summary:
      'Relaciones y productos activos con un paso que genera comisión y sin comisión configurada; el emisor ve los suyos',
    query: ListQuery,
    response: z.array(CommissionGap),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/payouts/:id/',
    access,
    summary: 'Una comisión',
    params: IdParams,
    response: Commission,
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/v1/payouts/:id/history/',
    access,
    summary:
      'Los montos que ha tenido un afiliado por un producto, también en comisiones eliminadas, lo último primero; el emisor ve los suyos',
    params: IdParams,
    query: ListQuery.pick({ page: true, page_size: true }),
    response: z.array(RateChange),
  }),
  create: endpoint({
    repeatable: true,
    need: 'money',
    method: 'POST',
    path: '/api/v1/payouts/',
    access,
    summary: 'Configurar la comisión de un afiliado por un producto',
    body: CommissionCreate,
    response: Commission,
    status: 201,
    message: 'Comisión creada exitosamente',
  }),
  copy: endpoint({
    need: 'money',
    method: 'POST',
    path: '/api/v1/payouts/:id/copy/',
    access,
    summary: 'Copiar una comisión, con su monto vigente, a más afiliados del mismo producto: a todos o a ninguno',
    params: IdParams,
    body: CommissionCopy,
    response: z.array(Commission),
    status: 201,
    message: 'Comisiones creadas exitosamente',
  }),
  update: endpoint({
    need: 'money',
    method: 'PUT',
    path: '/api/v1/payouts/:id/',
    access,
    summary: 'Actualizar una comisión; cada lead gana el mejor de dos montos: el de su clic y el de su evento',
    params: IdParams,
    body: CommissionUpdate,
    response: Commission,
    message: 'Comisión actualizada exitosamente',
  }),
  remove: endpoint({
    need: 'money',
    method: 'DELETE',
    path: '/api/v1/payouts/:id/',
    access,
    summary: 'Eliminar una comisión',
    params: IdParams,
    status: 204,
  }),
}

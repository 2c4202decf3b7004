import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { CalendarDate, GivenDate, Id, IdParams, ListQuery, Moment, Text } from './fields.ts'
import { ShownPair } from './relationships.ts'
import { everyone } from './roles.ts'
import { dateInMexico } from './time.ts'
import { Validation } from './validation.ts'

/** For whom a term holds, from the narrowest to the widest. */
export const TermScope = z.enum(['pair_product', 'pair', 'product', 'issuer', 'network'])
export type TermScope = z.infer<typeof TermScope>
export const termScopeLabels: Record<TermScope, string> = {
  pair_product: 'Afiliado y producto',
  pair: 'Afiliado',
  product: 'Producto',
  issuer: 'Emisor',
  network: 'Toda la red',
}

/**
 * How commissions are validated that are earned from a day on. What a term leaves open (null) is as the next wider one
 * says; where none says it, they can be paid at once.
 */
export const Term = z.object({
  id: Id,
  scope: TermScope,
  issuer: Id.nullable(),
  issuer_name: z.string().nullable(),
  product: Id.nullable(),
  product_name: z.string().nullable(),
  relationship: Id.nullable(),
  affiliate_name: z.string().nullable(),
  valid_from: CalendarDate,
  validation: Validation.nullable(),
  /** Days from when it was earned until it can be paid. */
  validation_days: z.number().int().nullable(),
  state: z.enum(['future', 'in_force', 'past', 'cancelled']),
  created_at: Moment,
  /** Who wrote it and why: for administrators, null for others. */
  author_name: z.string().nullable(),
  note: z.string().nullable(),
})
export type Term = z.infer<typeof Term>

const VALIDATION_DAYS = 180
const DAYS = `De 0 a ${VALIDATION_DAYS} días`
export const TERM_PAST = 'La fecha no puede ser pasada'
export const TERM_EXISTS = 'Ya hay una condición desde ese día'
export const TERM_BEGAN = 'La condición ya empezó o se canceló'
const TERM_ONE_SCOPE = 'Elige un emisor, o un producto y una relación, no ambos'
export const TERM_STRANGERS = 'El producto no es del emisor de la relación'

export const TermCreate = z
  .object({
    issuer_id: Id.nullish(),
    product_id: Id.nullish(),
    relationship_id: Id.nullish(),
    pair: ShownPair.nullish(),
    valid_from: GivenDate.refine((day) => day >= dateInMexico(), TERM_PAST),
    validation: Validation.nullish(),
    validation_days: z.number(DAYS).int(DAYS).min(0, DAYS).max(VALIDATION_DAYS, DAYS).nullish(),
    note: Text.pipe(z.string().max(500, 'No puede exceder 500 caracteres')).default(''),
  })
  .refine(({ issuer_id, product_id, relationship_id }) => !issuer_id || !(product_id || relationship_id), {
    path: ['issuer_id'],
    error: TERM_ONE_SCOPE,
  })
export type TermCreate = z.infer<typeof TermCreate>

export const terms = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/terms/',
    access: everyone,
    summary: 'Condiciones de pago: días de validación y aprobación; cada quien ve las que le tocan',
    query: ListQuery,
    response: z.array(Term),
  }),
  create: endpoint({
    need: 'money',
    method: 'POST',
    path: '/api/v1/terms/',
    access: ['admin'],
    summary: 'Fijar las condiciones de lo que se gane a partir de un día; lo ya ganado no cambia',
    body: TermCreate,
    response: Term,
    status: 201,
    message: 'Condición creada exitosamente',
  }),
  cancel: endpoint({
    need: 'money',
    method: 'POST',
    path: '/api/v1/terms/:id/cancel/',
    access: ['admin'],
    summary: 'Cancelar una condición que aún no empieza',
    params: IdParams,
    message: 'Condición cancelada exitosamente',
  }),
}

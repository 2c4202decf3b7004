import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, Line, Moment, QueryId, Text } from './fields.ts'
import { everyone } from './roles.ts'

export const EventType = z.object({ id: Id, name: z.string() })
export type EventType = z.infer<typeof EventType>

/** Seeded in this order with these ids (D38). */
export const eventTypeNames = ['step_1', 'step_2', 'aprobado', 'rechazado', 'entregado'] as const
export const APPROVED = 'aprobado'
export const REJECTED = 'rechazado'

export const ORDER_TAKEN = 'Ya existe un paso con ese orden en el flujo del producto'
export const STEPS_REPEATED = 'Cada paso y cada orden se indican una sola vez'
export const ONE_FLOW = 'Todos los pasos deben ser del mismo producto'

export const EventStep = z.object({
  id: Id,
  product_id: Id,
  product_name: z.string(),
  issuer_id: Id,
  issuer_name: z.string(),
  event_type_id: Id,
  event_type_name: z.string(),
  name: z.string(),
  description: z.string(),
  step_order: z.number().int(),
  is_payout_event: z.boolean(),
  created_at: Moment,
  updated_at: Moment,
})
export type EventStep = z.infer<typeof EventStep>

const StepOrder = z.number().int().min(1, 'El orden empieza en 1').max(100_000)

const Description = Text.pipe(z.string().max(500, 'La descripción no puede exceder 500 caracteres'))

const stepForm = {
  event_type_id: z.number('Debe seleccionar un tipo de evento').int().positive('Debe seleccionar un tipo de evento'),
  name: Line.pipe(
    z
      .string()
      .min(3, 'El nombre debe tener al menos 3 caracteres')
      .max(255, 'El nombre no puede exceder 255 caracteres'),
  ),
  description: Description.default(''),
  is_payout_event: z.boolean().default(false),
}

export const EventStepCreate = z.object({
  issuer_id: z.number('Debe seleccionar un emisor').int().positive('Debe seleccionar un emisor'),
  product_id: z.number('Debe seleccionar un producto').int().positive('Debe seleccionar un producto'),
  ...stepForm,
  /** Left out, the server takes the highest of the product plus one (D33). */
  step_order: StepOrder.nullish(),
})
export type EventStepCreate = z.infer<typeof EventStepCreate>

export const EventStepUpdate = z
  .object({
    id: Id,
    ...stepForm,
    description: Description,
    is_payout_event: z.boolean(),
    step_order: StepOrder,
  })
  .partial()
export type EventStepUpdate = z.infer<typeof EventStepUpdate>

export const Reorder = z.object({
  step_orders: z
    .array(z.object({ step_id: Id, new_order: StepOrder }))
    .min(1, 'Indica al menos un paso')
    .max(500),
})
export type Reorder = z.infer<typeof Reorder>

export const EventStepFilters = z.object({ issuer_id: QueryId.optional(), product_id: QueryId.optional() })
export type EventStepFilters = z.infer<typeof EventStepFilters>

const base = '/api/v1/events/product-steps/'

export const eventSteps = {
  list: endpoint({
    method: 'GET',
    path: base,
    access: everyone,
    summary: 'Pasos de los flujos, por producto y orden',
    query: EventStepFilters,
    response: z.array(EventStep),
  }),
  byProduct: endpoint({
    method: 'GET',
    path: `${base}by-product/:id/`,
    access: everyone,
    summary: 'Los pasos de un producto',
    params: IdParams,
    response: z.array(EventStep),
  }),
  get: endpoint({
    method: 'GET',
    path: `${base}:id/`,
    access: everyone,
    summary: 'Un paso',
    params: IdParams,
    response: EventStep,
  }),
  create: endpoint({
    method: 'POST',
    path: base,
    access: ['admin'],
    summary: 'Agregar un paso al flujo de un producto',
    body: EventStepCreate,
    response: EventStep,
    status: 201,
    message: 'Paso de evento creado exitosamente',
  }),
  update: endpoint({
    method: 'PUT',
    path: `${base}:id/`,
    access: ['admin'],
    summary: 'Actualizar un paso',
    params: IdParams,
    body: EventStepUpdate,
    response: EventStep,
    message: 'Paso actualizado exitosamente',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${base}:id/`,
    access: ['admin'],
    summary: 'Quitar un paso del flujo',
    params: IdParams,
    status: 204,
  }),
  reorder: endpoint({
    method: 'POST',
    path: `${base}reorder/`,
    access: ['admin'],
    summary: 'Cambiar el orden de pasos de un mismo producto',
    body: Reorder,
    response: z.array(EventStep),
    message: 'Pasos reordenados exitosamente',
  }),
}

export const eventTypes = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/events/event-types/',
    access: everyone,
    summary: 'Tipos de evento, por id',
    response: z.array(EventType),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/events/event-types/:id/',
    access: everyone,
    summary: 'Un tipo de evento',
    params: IdParams,
    response: EventType,
  }),
}

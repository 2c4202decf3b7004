import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, Moment, QueryId } from './fields.ts'
import { everyone } from './roles.ts'

export const OccurrenceType = z.enum([
  'lead.event',
  'commission.accrued',
  'commission.reversed',
  'commission.paid',
  'payment.created',
  'payment.paid',
  'payment.cancelled',
])
export type OccurrenceType = z.infer<typeof OccurrenceType>
export const occurrenceLabels: Record<OccurrenceType, string> = {
  'lead.event': 'Evento de un lead',
  'commission.accrued': 'Comisión ganada',
  'commission.reversed': 'Comisión revertida',
  'commission.paid': 'Comisión pagada',
  'payment.created': 'Pago creado',
  'payment.paid': 'Pago realizado',
  'payment.cancelled': 'Pago cancelado',
}

/** Of a delivery that a person asked for to see whether the receiver answers. */
export const TEST_TYPE = 'test.ping'
export const typeLabel = (type: string): string =>
  type === TEST_TYPE ? 'Prueba' : (occurrenceLabels[type as OccurrenceType] ?? type)

export const DeliveryState = z.enum(['waiting', 'delivered', 'failed', 'skipped'])
export type DeliveryState = z.infer<typeof DeliveryState>
export const deliveryStateLabels: Record<DeliveryState, string> = {
  waiting: 'Pendiente',
  delivered: 'Entregada',
  failed: 'Fallida',
  skipped: 'Omitida',
}

export const deliveryReasons = {
  attempts: 'Se agotaron los 12 intentos',
  refused: 'El receptor la rechazó cuatro veces',
  no_external_id: 'El clic no traía external_id',
  erased: 'Sus datos ya no se conservan',
  expired: 'Esperó más de 30 días, o después llegaron otras 100,000',
} as const
const DeliveryReason = z.enum(Object.keys(deliveryReasons) as (keyof typeof deliveryReasons)[])

/** Why there was no answer. */
export const attemptErrors = {
  address: 'La dirección no es de un equipo público',
  dns: 'El nombre del equipo no se encontró',
  connect: 'No se pudo conectar',
  tls: 'El certificado no es válido',
  timeout: 'No respondió en 15 segundos',
  broken: 'La conexión se cortó antes de la respuesta',
  secret: 'El secreto de firma no se pudo leer: cámbialo',
} as const
export const AttemptError = z.enum(Object.keys(attemptErrors) as (keyof typeof attemptErrors)[])
export type AttemptError = z.infer<typeof AttemptError>

export const Delivery = z.object({
  /** The receiver's webhook-id. */
  id: z.uuid(),
  seq: Id,
  type: z.string(),
  tracking_id: z.string().nullable(),
  state: DeliveryState,
  reason: DeliveryReason.nullable(),
  attempts: z.number().int(),
  /** HTTP status of the last attempt. */
  status: z.number().int().nullable(),
  error: AttemptError.nullable(),
  next_at: Moment.nullable(),
  created_at: Moment,
})
export type Delivery = z.infer<typeof Delivery>

export const Attempt = z.object({
  number: z.number().int(),
  at: Moment,
  ms: z.number().int(),
  status: z.number().int().nullable(),
  error: AttemptError.nullable(),
  peer: z.string().nullable(),
  request_url: z.string(),
  request_body: z.string().nullable(),
  answer: z.string().nullable(),
})
export type Attempt = z.infer<typeof Attempt>

/** Newest attempt first. */
export const DeliveryDetail = Delivery.extend({ receiver: Id, receiver_name: z.string(), tries: z.array(Attempt) })
export type DeliveryDetail = z.infer<typeof DeliveryDetail>

export const DELIVERIES_PAGE = 50
export const DeliveryFilters = z.object({ state: DeliveryState.optional(), page: QueryId.optional() })
export type DeliveryFilters = z.infer<typeof DeliveryFilters>
export const DeliveryPage = z.object({ results: z.array(Delivery), has_more: z.boolean() })
export type DeliveryPage = z.infer<typeof DeliveryPage>

const DeliveryParams = z.object({ id: z.uuid() })

export const deliveries = {
  get: endpoint({
    method: 'GET',
    path: '/api/v1/deliveries/:id/',
    access: everyone,
    summary: 'Una entrega con sus intentos: lo que se envió y lo que se respondió',
    params: DeliveryParams,
    response: DeliveryDetail,
  }),
  replay: endpoint({
    method: 'POST',
    path: '/api/v1/deliveries/:id/replay/',
    access: everyone,
    summary: 'Reenviar una entrega, con el mismo webhook-id',
    params: DeliveryParams,
    message: 'La entrega se reenviará en unos segundos',
  }),
}

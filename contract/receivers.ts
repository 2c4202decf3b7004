import { z } from 'zod'
import { DeliveryDetail, DeliveryFilters, DeliveryPage, OccurrenceType } from './deliveries.ts'
import { endpoint } from './endpoint.ts'
import { eventTypeNames } from './event-steps.ts'
import { Id, IdParams, Line, Moment } from './fields.ts'
import { TargetTemplate } from './macros.ts'
import { everyone, type Role } from './roles.ts'

/** Receivers of a company, and of the network. */
export const RECEIVERS_MAX: Record<Role, number> = { affiliate: 5, issuer: 5, admin: 20 }
export const TOO_MANY_RECEIVERS = 'Ya no caben más direcciones: elimina una antes'
export const NOTHING_OF_PRODUCT = 'Un pago no es de un solo producto: elige todos los productos o marca otro evento'
/** Deliveries that are sent again at once. */
export const REPLAY_MAX = 10_000

export const ReceiverState = z.enum(['active', 'failing', 'paused'])
export type ReceiverState = z.infer<typeof ReceiverState>
export const receiverStateLabels: Record<ReceiverState, string> = {
  active: 'Activo',
  failing: 'Con fallas',
  paused: 'En pausa',
}

/** By the name of an event's type, else by the type of what happened. */
const StatusMap = z
  .partialRecord(
    z.enum([...eventTypeNames, ...OccurrenceType.options]),
    z.string().trim().max(50, 'No puede exceder 50 caracteres'),
  )
  .transform((map) => Object.fromEntries(Object.entries(map).filter(([, word]) => word)))

const Method = z.enum(['GET', 'POST'], 'Selecciona un método')

/** How an address is called. */
const Target = z.object({ url: TargetTemplate, method: Method, status_map: StatusMap })

const PER_SECOND = 'Debe ser un número entero de 1 a 50'

const fields = Target.extend({
  name: Line.pipe(z.string().min(2, 'Debe tener al menos 2 caracteres').max(100, 'No puede exceder 100 caracteres')),
  types: z
    .array(OccurrenceType)
    .min(1, 'Selecciona al menos un evento')
    .transform((types) => [...new Set(types)].sort()),
  product_id: Id.nullable(),
  /** Only events of these types; null: all. */
  event_types: z
    .array(Id.max(eventTypeNames.length, 'Tipo de evento no válido'))
    .max(eventTypeNames.length)
    .nullable()
    .transform((types) => (types?.length ? [...new Set(types)].sort() : null)),
  skip_without_external_id: z.boolean(),
  per_second: z.number(PER_SECOND).int(PER_SECOND).min(1, PER_SECOND).max(50, PER_SECOND),
})

export const ReceiverCreate = fields.partial({
  product_id: true,
  event_types: true,
  status_map: true,
  skip_without_external_id: true,
  per_second: true,
})
export type ReceiverCreate = z.infer<typeof ReceiverCreate>
export const ReceiverUpdate = fields.partial()
export type ReceiverUpdate = z.infer<typeof ReceiverUpdate>
export const PreviewForm = Target.partial({ status_map: true })
export type PreviewForm = z.infer<typeof PreviewForm>

export const Receiver = z.object({
  id: Id,
  name: z.string(),
  url: z.string(),
  method: Method,
  types: z.array(OccurrenceType),
  product_id: Id.nullable(),
  product_name: z.string().nullable(),
  event_types: z.array(Id).nullable(),
  status_map: z.record(z.string(), z.string()),
  skip_without_external_id: z.boolean(),
  per_second: z.number().int(),
  state: ReceiverState,
  /** Why it is paused: 72 hours of failures, it answered 410, or a person did it. */
  reason: z.enum(['failures', 'gone', 'person']).nullable(),
  paused_at: Moment.nullable(),
  /** The name of that person. */
  paused_by: z.string().nullable(),
  failing_since: Moment.nullable(),
  last_ok_at: Moment.nullable(),
  /** Deliveries that wait. */
  waiting: z.number().int(),
  created_at: Moment,
})
export type Receiver = z.infer<typeof Receiver>

export const ReceiverSecret = z.object({
  secret: z.string(),
  /** Until when the one before it signs too. */
  before_until: Moment.nullable(),
})
export type ReceiverSecret = z.infer<typeof ReceiverSecret>

export const ReceiverPreview = z.object({
  url: z.string(),
  body: z.string().nullable(),
  /** When the lead that it shows was clicked; null: an invented one, for who has none. */
  clicked_at: Moment.nullable(),
})
export type ReceiverPreview = z.infer<typeof ReceiverPreview>

export const ReplayForm = z.object({
  from: z.iso.datetime({ offset: true, error: 'Fecha inválida' }),
  to: z.iso.datetime({ offset: true, error: 'Fecha inválida' }),
  state: z.enum(['delivered', 'failed', 'skipped']),
})
export type ReplayForm = z.infer<typeof ReplayForm>

const path = '/api/v1/receivers/'
const one = `${path}:id/`

export const receivers = {
  list: endpoint({
    method: 'GET',
    path,
    access: everyone,
    summary: 'Direcciones propias a las que se avisa: postbacks y webhooks',
    response: z.array(Receiver),
  }),
  create: endpoint({
    elevated: true,
    repeatable: true,
    method: 'POST',
    path,
    access: everyone,
    summary: 'Agregar una dirección',
    body: ReceiverCreate,
    response: Receiver,
    status: 201,
    message: 'Dirección creada exitosamente',
  }),
  preview: endpoint({
    method: 'POST',
    path: `${path}preview/`,
    access: everyone,
    summary: 'Cómo quedaría una llamada con el último lead propio; nada se envía',
    body: PreviewForm,
    response: ReceiverPreview,
  }),
  get: endpoint({
    method: 'GET',
    path: one,
    access: everyone,
    summary: 'Una dirección propia',
    params: IdParams,
    response: Receiver,
  }),
  update: endpoint({
    method: 'PUT',
    path: one,
    access: everyone,
    summary: 'Cambiar una dirección; la URL, solo tras confirmar la identidad',
    params: IdParams,
    body: ReceiverUpdate,
    response: Receiver,
    message: 'Dirección actualizada exitosamente',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: one,
    access: everyone,
    summary: 'Eliminar una dirección; sus entregas pendientes ya no se envían',
    params: IdParams,
    status: 204,
  }),
  test: endpoint({
    method: 'POST',
    path: `${one}test/`,
    access: everyone,
    summary: 'Llamar a la dirección ahora, con una prueba',
    params: IdParams,
    response: DeliveryDetail,
  }),
  secret: endpoint({
    need: 'operate',
    elevated: true,
    method: 'GET',
    path: `${one}secret/`,
    access: everyone,
    summary: 'El secreto con el que se firma',
    params: IdParams,
    response: ReceiverSecret,
  }),
  rotateSecret: endpoint({
    need: 'people',
    elevated: true,
    method: 'POST',
    path: `${one}secret/`,
    access: everyone,
    summary: 'Cambiar el secreto; el anterior firma también durante 24 horas, si se puede leer',
    params: IdParams,
    response: ReceiverSecret,
    message: 'Secreto cambiado',
  }),
  pause: endpoint({
    method: 'POST',
    path: `${one}pause/`,
    access: everyone,
    summary: 'Dejar de enviar a una dirección; lo que pase espera hasta 30 días a que se reanude',
    params: IdParams,
    response: Receiver,
    message: 'La dirección queda en pausa',
  }),
  resume: endpoint({
    method: 'POST',
    path: `${one}resume/`,
    access: everyone,
    summary: 'Volver a enviar a una dirección con fallas o en pausa',
    params: IdParams,
    response: Receiver,
    message: 'La dirección vuelve a recibir',
  }),
  deliveries: endpoint({
    method: 'GET',
    path: `${one}deliveries/`,
    access: everyone,
    summary: 'Las entregas de una dirección, las últimas primero',
    params: IdParams,
    query: DeliveryFilters,
    response: DeliveryPage,
  }),
  replay: endpoint({
    method: 'POST',
    path: `${one}replay/`,
    access: everyone,
    summary: 'Reenviar las entregas de un periodo, hasta 10,000',
    params: IdParams,
    body: ReplayForm,
    response: z.object({ count: z.number().int() }),
    message: 'Las entregas se reenvían',
  }),
}

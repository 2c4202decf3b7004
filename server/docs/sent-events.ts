import type { Endpoint } from '#contract/endpoint.ts'
import { eventTypeNames } from '#contract/event-steps.ts'
import { formatNumber } from '#contract/numbers.ts'
import {
  DATA_DEPTH_LIMIT,
  EVENT_DATA_LIMIT,
  type IncomingEvent,
  postbackAliases,
  tracking,
} from '#contract/tracking.ts'
import { KEY_LIMIT } from '../http/input.ts'
import type { OpenApi, Operation, Schema } from './page.ts'
import { header, inQuery, text } from './parameters.ts'
import { sizeOf } from './refusals.ts'

const ONE = 'Va exactamente uno de step_id, event_type_id, event_type y step_order.'

/** What the sender of an event asks of each field. */
const eventFields: Record<keyof IncomingEvent, string> = {
  tracking_id:
    'El que llegó con la visita en la dirección del producto. Mayúsculas, guiones, espacios, llaves y comillas alrededor no importan.',
  step_id: `El paso, por su número, que está en la pantalla Integración. ${ONE}`,
  event_type_id: `El paso, por el número de su tipo: ${eventTypeNames.map((name, index) => `${index + 1} ${name}`).join(', ')}.`,
  event_type: `El paso, por el nombre de su tipo: ${eventTypeNames.join(', ')}. Si el producto tiene varios de ese tipo, indica step_id.`,
  step_order: 'El paso, por su número de orden en el flujo del producto, como está en la pantalla Eventos.',
  event_id:
    'Tu identificador de lo que pasó: con él, un paso de un lead que ya se guardó no se guarda otra vez, sin importar cuándo se repita ni qué más diga. El mismo sirve para los demás pasos de ese lead, nunca para otro lead. Mándalo siempre que puedas.',
  transaction_id: 'Sin event_id, distingue las veces que el mismo paso le pasa al mismo lead.',
  occurred_at:
    'Cuándo pasó: RFC 3339, o como lo escribe tu base de datos, o los segundos o milisegundos desde 1970; sin zona horaria es la hora de la Ciudad de México. Se guarda y se muestra; no decide ni montos ni orden.',
  source:
    'De cuál de tus sistemas viene; si falta, api. No uses panel ni conciliacion: así llama Afluente a lo que se hizo en pantalla o por archivo.',
  reason_code: 'En un rechazo, su motivo: uno de GET /api/v1/reject-reasons/.',
  event_data: `Lo que quieras guardar con él, sin datos personales: un texto o un objeto, de hasta ${EVENT_DATA_LIMIT / 1024} KB y ${DATA_DEPTH_LIMIT} niveles.`,
}

/** Without a lead or a step there is no event; nothing else refuses one. */
const LENIENT =
  'Un campo opcional que no se entiende se deja fuera y lo dice meta.warnings: EVENT_ID_IGNORED, OCCURRED_AT_IGNORED, etc. Un event_id vacío, 0 o sin reemplazar, como {transaction_id}, es como si no viniera.'

const signature = [
  header('webhook-id', 'De la firma: el identificador del mensaje.'),
  header('webhook-timestamp', 'De la firma: el momento, en segundos.'),
  header('webhook-signature', 'La firma: v1,<base64>; pueden ir varias separadas por un espacio.'),
]
const eventId = header('Idempotency-Key', 'Otro nombre de event_id, si el cuerpo no lo trae y el evento va sin firma.')

/** The calls of issuers' systems. */
export function describeEvents(document: OpenApi): void {
  const { post: one } = document.paths[tracking.storeEvent.path] ?? {}
  const { post: batch } = document.paths[tracking.storeBatch.path] ?? {}
  const event = one && bodyOf(one)
  const events = batch && bodyOf(batch)?.properties?.events
  if (!event || !events) return
  for (const [name, description] of Object.entries(eventFields))
    Object.assign(event.properties?.[name] ?? {}, { description })
  events.items = event
  one.description += ` El cuerpo, de hasta ${sizeOf(tracking.storeEvent)}.`
  batch.description += ` El cuerpo, de hasta ${sizeOf(tracking.storeBatch)} y ${formatNumber(KEY_LIMIT)} valores en total, también los de event_data; si pasa, manda menos eventos en cada lote.`
  one.description += ` ${LENIENT}`
  one.parameters = [...(one.parameters ?? []), eventId, ...signature]
  batch.parameters = [...(batch.parameters ?? []), ...signature]
  const { 201: stored = {} } = one.responses
  one.responses[201] = { ...stored, description: 'Se guardó ahora.' }
  one.responses[200] = { ...stored, description: 'Ya se había guardado: duplicate es true.' }
}

const bodyOf = ({ requestBody }: Operation): Schema | undefined => requestBody?.content?.['application/json']?.schema

const postbackFields: Record<string, Schema> = {
  tracking_id: text(
    `El id que llevó la dirección del producto. También: ${postbackAliases.tracking_id.slice(1).join(', ')}.`,
  ),
  event: text(`El tipo de evento o el id del paso. También: ${postbackAliases.event.slice(1).join(', ')}.`),
  event_id: text(
    `El id propio del evento, para no registrarlo dos veces. También: ${postbackAliases.event_id.slice(1).join(', ')}.`,
  ),
  reason_code: text('El motivo de un rechazo, uno de GET /api/v1/reject-reasons/.'),
  amount: text('Informativo; se guarda en event_data con los demás parámetros.'),
}

export function describePostback(operation: Operation, { method }: Endpoint): void {
  const required = ['tracking_id', 'event']
  operation.parameters = Object.entries(postbackFields).map(([field, schema]) =>
    inQuery(field, schema, method === 'GET' && required.includes(field)),
  )
  if (method === 'POST')
    operation.requestBody = {
      description: 'Los mismos parámetros, en la dirección, en un formulario o en un JSON.',
      content: Object.fromEntries(
        ['application/x-www-form-urlencoded', 'multipart/form-data', 'application/json'].map((type) => [
          type,
          { schema: { type: 'object' as const, properties: postbackFields } },
        ]),
      ),
    }
}

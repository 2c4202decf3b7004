import type { Endpoint } from '#contract/endpoint.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { utmFields } from '#contract/leads.ts'
import { roleLabels } from '#contract/roles.ts'
import { extraParams, PARAM_LIMIT, postbackAliases, redirectPath } from '#contract/tracking.ts'
import { limited } from './limit-headers.ts'
import { nouns } from './nouns.ts'
import type { OpenApi, Operation, Parameter, Schema } from './page.ts'

export const securitySchemes = {
  bearer: {
    type: 'http' as const,
    scheme: 'bearer',
    description: 'El token de acceso que entrega el inicio de sesión.',
  },
  apiKey: {
    type: 'apiKey' as const,
    in: 'header',
    name: 'X-API-Key',
    description:
      'La API key de la empresa: iss_… de un emisor, aff_… de un afiliado; o una clave de consulta de la red: net_….',
  },
  postbackToken: {
    type: 'apiKey' as const,
    in: 'query',
    name: 'token',
    description: 'El token de postback del emisor (pbt_…), que solo sirve para registrar eventos.',
  },
}

export const errorSchema = {
  type: 'object' as const,
  required: ['success', 'data', 'message', 'errors', 'meta'],
  properties: {
    success: { const: false },
    data: { type: 'null' },
    message: { type: 'string' },
    errors: { type: 'array', items: { type: 'string' } },
    meta: {
      type: 'object',
      required: ['request_id', 'code', 'retryable'],
      properties: {
        request_id: { type: 'string' },
        code: { type: 'string' },
        retryable: { type: 'boolean' },
        field_errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
        sums: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
  },
} as never

const reasons = {
  400: 'La dirección o el JSON están mal formados, o un parámetro se repite o no es válido.',
  401: 'Falta el token o la clave, o ya no vale.',
  403: 'El rol no puede usar esta función.',
  404: 'No existe, o no es tuyo.',
  406: 'La respuesta es application/json, y Accept no lo admite.',
  409: 'Choca con lo que ya está guardado.',
  410: 'El enlace ya no está activo.',
  412: 'Otra persona guardó cambios después de lo que dice If-Match.',
  413: 'El cuerpo es demasiado grande.',
  414: 'La dirección es demasiado larga.',
  415: 'El tipo de contenido no es el esperado.',
  422: 'Algún campo no es válido; meta.field_errors dice cuál.',
  429: 'Demasiadas solicitudes; espera los segundos de Retry-After.',
  500: 'Error inesperado; meta.request_id lo identifica.',
  503: 'El servicio no está disponible y no se guardó nada; reintenta.',
} as const
type Status = keyof typeof reasons

const name = (status: Status) => `Error${status}`
export const errorResponses = Object.fromEntries(
  Object.entries(reasons).map(([status, description]) => [
    name(Number(status) as Status),
    {
      description,
      ...(status === '429' && { headers: limited }),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]),
)

/** The error answers that the kind of a call does not tell. */
const more: Record<string, Status[]> = {
  'auth.login': [401],
  'auth.refresh': [401],
  'auth.loginSecond': [401],
  'auth.passkeyOptions': [409],
  'auth.loginPasskey': [401, 409],
  'accessLinks.open': [410],
  'accessLinks.use': [410],
  'accessLinks.create': [404],
  'eventSteps.reorder': [404],
}

/** The error answers of a call, derived from its kind. */
function refusals(fullName: string, endpoint: Endpoint): Status[] {
  const writes = endpoint.method !== 'GET'
  const statuses: Status[] = [400, 414, 429, 500, 503, ...(more[fullName] ?? [])]
  statuses.push(endpoint.file ? 409 : 406)
  if (endpoint.access !== 'public') statuses.push(401)
  if (Array.isArray(endpoint.access)) statuses.push(403)
  if (endpoint.path.includes(':') || typeof endpoint.access === 'string') statuses.push(404)
  if (writes) statuses.push(409, 413, 415, 422)
  else if (endpoint.access === 'postback-token') statuses.push(422)
  if (endpoint.method === 'PUT') statuses.push(412)
  return statuses.sort((a, b) => a - b)
}

const security = ({ access, byKey }: Endpoint): Operation['security'] => {
  if (access === 'public') return []
  if (access === 'issuer-key') return [{ apiKey: [] }]
  if (access === 'postback-token') return [{ postbackToken: [] }]
  return byKey ? [{ bearer: [] }, { apiKey: [] }] : [{ bearer: [] }]
}

const whoMayCall = ({ access, byKey }: Endpoint): string => {
  if (access === 'public') return 'Sin autenticación.'
  if (access === 'issuer-key') return 'Con la clave del emisor en X-API-Key.'
  if (access === 'postback-token') return 'Con el token de postback del emisor.'
  const roles = `Roles: ${access.map((role) => roleLabels[role]).join(', ')}.`
  return byKey ? `${roles} También con una clave en X-API-Key.` : roles
}

const header = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
})
const ifMatch = header('If-Match', 'El updated_at que se leyó, entre comillas; si otra persona guardó después, 412.')
const idempotencyKey = header(
  'Idempotency-Key',
  'Repetir la solicitud con la misma clave en 24 horas no la ejecuta dos veces.',
)

const signature = [
  header('webhook-id', 'De la firma: el identificador del mensaje.'),
  header('webhook-timestamp', 'De la firma: el momento, en segundos.'),
  header('webhook-signature', 'La firma: v1,<base64>; pueden ir varias separadas por un espacio.'),
]

/** Adds what the schemas alone cannot express. */
export function amend(document: OpenApi): OpenApi {
  for (const { name: fullName, endpoint } of allEndpoints) {
    const operation = document.paths[openApiPath(endpoint.path)]?.[endpoint.method.toLowerCase()]
    if (!operation) continue
    const [noun = ''] = fullName.split('.')
    operation.operationId = fullName
    operation.tags = [nouns[noun] ?? noun]
    operation.description = whoMayCall(endpoint)
    operation.security = security(endpoint)
    operation.responses = { ...successOf(operation, endpoint), ...refused(refusals(fullName, endpoint)) }
    if (endpoint.method === 'PUT') operation.parameters = [...(operation.parameters ?? []), ifMatch]
    if (endpoint.method === 'POST' && Array.isArray(endpoint.access) && endpoint.access.includes('admin'))
      operation.parameters = [...(operation.parameters ?? []), idempotencyKey]
    if (endpoint.access === 'issuer-key' && endpoint.method === 'POST')
      operation.parameters = [...(operation.parameters ?? []), ...signature]
    if (endpoint.upload) operation.requestBody = fileBody(endpoint.upload)
    if (endpoint.access === 'postback-token') describePostback(operation, endpoint)
  }
  document.paths[openApiPath(redirectPath(0)).replace('/0/', '/{relationship_id}/')] = { get: click }
  return document
}

const fileBody = (types: readonly string[]) => ({
  description: 'El archivo, tal cual.',
  content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
})

export const openApiPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

const refused = (statuses: Status[]) =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${name(status)}` }]))

function successOf(operation: Operation, { status, access }: Endpoint): Operation['responses'] {
  const described = status === 204 ? { description: 'Hecho; sin cuerpo.' } : { description: 'Hecho.' }
  const headers = access === 'public' ? {} : { headers: limited }
  return { [status]: { ...(status !== 204 && operation.responses[status]), ...described, ...headers } }
}

const text = (description: string, maxLength = PARAM_LIMIT): Schema => ({ type: 'string', maxLength, description })
const inQuery = (name: string, schema: Schema, required = false): Parameter => ({
  name,
  in: 'query',
  required,
  description: schema.description ?? '',
  schema,
})

const postbackFields: Record<string, Schema> = {
  tracking_id: text(
    `El id que llevó la dirección del producto. También: ${postbackAliases.tracking_id.slice(1).join(', ')}.`,
  ),
  event: text(`El tipo de evento o el id del paso. También: ${postbackAliases.event.slice(1).join(', ')}.`),
  event_id: text(
    `El id propio del evento, para no registrarlo dos veces. También: ${postbackAliases.event_id.slice(1).join(', ')}.`,
  ),
  amount: text('Informativo; se guarda en event_data con los demás parámetros.'),
}

function describePostback(operation: Operation, { method }: Endpoint): void {
  const required = ['tracking_id', 'event']
  operation.parameters = Object.entries(postbackFields).map(([field, schema]) =>
    inQuery(field, schema, method === 'GET' && required.includes(field)),
  )
  if (method === 'POST')
    operation.requestBody = {
      description: 'Los mismos parámetros, en la dirección o en el formulario.',
      content: { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties: postbackFields } } },
    }
}

/** Outside `serve()`, since a person's browser is answered, not a program. */
const click: Operation = {
  operationId: 'click',
  tags: [nouns.click ?? ''],
  summary: 'El enlace de seguimiento: guarda el lead y redirige al producto',
  description: 'Sin autenticación. Los errores son una página para la persona, o JSON si Accept lo pide.',
  security: [],
  parameters: [
    {
      name: 'relationship_id',
      in: 'path',
      required: true,
      description: 'La relación del afiliado con el emisor',
      schema: { type: 'integer', minimum: 1 },
    },
    inQuery('product_id', { type: 'integer', minimum: 1, description: 'El producto' }, true),
    inQuery('external_id', text('El identificador propio del afiliado; se corta a 255 caracteres')),
    ...utmFields.map((field) => inQuery(field, text('Parámetro de la campaña'))),
    ...extraParams.map((field) => inQuery(field, text('Se guarda en lead_data.params'))),
  ],
  responses: {
    302: {
      description: 'El lead quedó guardado; Location es la dirección del producto con el tracking_id.',
      headers: { Location: { schema: { type: 'string', format: 'uri' } } },
    },
    ...refused([400, 404, 410, 503]),
  },
}

import type { Endpoint } from '#contract/endpoint.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { utmFields } from '#contract/leads.ts'
import { roleLabels } from '#contract/roles.ts'
import { extraParams, redirectPath } from '#contract/tracking.ts'
import { keyHolders } from '../http/idempotency.ts'
import { limited } from './limit-headers.ts'
import { nouns } from './nouns.ts'
import type { OpenApi, Operation } from './page.ts'
import { header, inQuery, text } from './parameters.ts'
import { refusals, refused } from './refusals.ts'
import { describeEvents, describePostback } from './sent-events.ts'

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

const ifMatch = header('If-Match', 'El updated_at que se leyó, entre comillas; si otra persona guardó después, 412.')
const REPEATED = 'Repetir la solicitud con la misma clave en 24 horas no la ejecuta dos veces.'
const idempotencyKey = header('Idempotency-Key', REPEATED)
const idempotencyKeyOfAdmin = header('Idempotency-Key', `Solo de un administrador. ${REPEATED}`)

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
    operation.parameters = [...(operation.parameters ?? []), ...keyOf(endpoint)]
    if (endpoint.upload) operation.requestBody = fileBody(endpoint.upload)
    if (endpoint.access === 'postback-token') describePostback(operation, endpoint)
    if (endpoint.alias) describeAlias(document, operation, endpoint)
  }
  describeEvents(document)
  document.paths[openApiPath(redirectPath(0)).replace('/0/', '/{relationship_id}/')] = { get: click }
  return document
}

/** The same call at its other address. */
function describeAlias({ paths }: OpenApi, operation: Operation, { path, method, alias }: Endpoint): void {
  if (!alias) return
  const { operationId, description } = operation
  paths[openApiPath(alias.path)] = {
    [method.toLowerCase()]: {
      ...operation,
      operationId: `${operationId}.alias`,
      description: `La misma respuesta que en ${openApiPath(path)}. ${description}`,
      ...(alias.deprecated && { deprecated: true }),
    },
  }
}

/** The header by which it is done once, where there is one. */
function keyOf(endpoint: Endpoint) {
  const holders = keyHolders(endpoint)
  if (!holders.length) return []
  return [holders.length < endpoint.access.length ? idempotencyKeyOfAdmin : idempotencyKey]
}

const fileBody = (types: readonly string[]) => ({
  description: 'El archivo, tal cual.',
  content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
})

export const openApiPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

function successOf(operation: Operation, { status, access }: Endpoint): Operation['responses'] {
  const described = status === 204 ? { description: 'Hecho; sin cuerpo.' } : { description: 'Hecho.' }
  const headers = access === 'public' ? {} : { headers: limited }
  return { [status]: { ...(status !== 204 && operation.responses[status]), ...described, ...headers } }
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

import type { Endpoint } from '#contract/endpoint.ts'
import { eventRefusals } from '#contract/event-refusals.ts'
import { formatNumber } from '#contract/numbers.ts'
import { tracking } from '#contract/tracking.ts'
import { DEPTH_LIMIT, KEY_LIMIT } from '../http/input.ts'
import { limited } from './limit-headers.ts'

export const errorSchema = {
  type: 'object' as const,
  required: ['success', 'data', 'message', 'errors', 'meta'],
  properties: {
    success: { type: 'boolean', const: false },
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

/** '64 KB' */
export const sizeOf = ({ bodyLimit }: Endpoint): string =>
  bodyLimit < 1024 ** 2 ? `${bodyLimit / 1024} KB` : `${bodyLimit / 1024 ** 2} MB`

const reasons = {
  400: `La dirección o el JSON están mal formados, un parámetro se repite o no es válido, o el cuerpo pasa de ${DEPTH_LIMIT} niveles o de ${formatNumber(KEY_LIMIT)} valores.`,
  401: 'Falta el token o la clave, o ya no vale.',
  403: 'El rol no puede usar esta función.',
  404: 'No existe, o no es tuyo.',
  406: 'La respuesta es application/json, y Accept no lo admite.',
  409: 'Choca con lo que ya está guardado.',
  410: 'El enlace ya no está activo.',
  412: 'Otra persona guardó cambios después de lo que dice If-Match.',
  413: `El cuerpo es demasiado grande: un evento admite ${sizeOf(tracking.storeEvent)}; un lote de eventos, ${sizeOf(tracking.storeBatch)}.`,
  414: 'La dirección es demasiado larga.',
  415: 'El tipo de contenido no es el esperado.',
  422: 'Algún campo no es válido; meta.field_errors dice cuál.',
  429: 'Demasiadas solicitudes; espera los segundos de Retry-After.',
  500: 'Error inesperado; meta.request_id lo identifica.',
  503: 'El servicio no está disponible y no se guardó nada; reintenta.',
} as const
type Status = keyof typeof reasons

/** The codes of events beside those of every call. */
function refusedEvents(status: number): string[] {
  const told = Object.entries(eventRefusals).filter(([, refusal]) => refusal.status === status)
  const codes = told.map(([code, { text }]) => `${code} (${text})`)
  return codes.length ? [`De un evento, además: ${codes.join('; ')}.`] : []
}

const name = (status: Status) => `Error${status}`
export const errorResponses = Object.fromEntries(
  Object.entries(reasons).map(([status, description]) => [
    name(Number(status) as Status),
    {
      description: [description, ...refusedEvents(Number(status))].join(' '),
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
export function refusals(fullName: string, endpoint: Endpoint): Status[] {
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

export const refused = (statuses: Status[]) =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${name(status)}` }]))

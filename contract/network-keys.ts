import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, Line, Moment } from './fields.ts'
import { KeyScope } from './key-scopes.ts'

/** Beside each other, not counting those that ended. */
export const NETWORK_KEYS_MAX = 20
export const TOO_MANY_NETWORK_KEYS = `Ya hay ${NETWORK_KEYS_MAX} claves vigentes: revoca una antes`

/** Days that a key is valid. */
export const keyDays = [30, 90, 365] as const

/** Readable in part: enough to tell one from another. */
export const NetworkKey = z.object({
  id: Id,
  name: z.string(),
  scope: KeyScope,
  prefix: z.string(),
  created_at: Moment,
  creator_name: z.string(),
  expires_at: Moment,
  revoked_at: Moment.nullable(),
  /** Noted at most once a minute. */
  last_used_at: Moment.nullable(),
  /** A network: /24 or /48. */
  last_used_from: z.string().nullable(),
})
export type NetworkKey = z.infer<typeof NetworkKey>

export const NetworkKeyCreate = z.object({
  name: Line.pipe(z.string().min(2, 'Debe tener al menos 2 caracteres').max(100, 'No puede exceder 100 caracteres')),
  scope: KeyScope,
  days: z.literal([...keyDays], 'La vigencia debe ser de 30, 90 o 365 días'),
})
export type NetworkKeyCreate = z.infer<typeof NetworkKeyCreate>

/** `key` is shown this once: null where the request is repeated. */
export const NewNetworkKey = NetworkKey.extend({ key: z.string().nullable() })
export type NewNetworkKey = z.infer<typeof NewNetworkKey>

const base = '/api/v1/network-keys/'

export const networkKeys = {
  list: endpoint({
    method: 'GET',
    path: base,
    access: ['admin'],
    summary: 'Las claves de consulta de la red, la más reciente primero, también las que ya no valen',
    response: z.array(NetworkKey),
  }),
  create: endpoint({
    need: 'people',
    elevated: true,
    method: 'POST',
    path: base,
    access: ['admin'],
    summary: 'Crear una clave de consulta; se muestra solo en esta respuesta',
    body: NetworkKeyCreate,
    response: NewNetworkKey,
    status: 201,
    message: 'Clave creada exitosamente',
  }),
  revoke: endpoint({
    need: 'people',
    elevated: true,
    method: 'DELETE',
    path: `${base}:id/`,
    access: ['admin'],
    summary: 'Revocar una clave: deja de valer de inmediato',
    params: IdParams,
    status: 204,
  }),
}

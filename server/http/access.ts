import type { FastifyRequest } from 'fastify'
import { ELEVATION_REQUIRED } from '#contract/auth.ts'
import { type Need, NOT_OF_DUTY, readsOnlyRefusal, refusalOf, VIEW_ONLY } from '#contract/duties.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { opens } from '#contract/key-scopes.ts'
import { OWN_PASSWORD_REQUIRED, SECOND_FACTOR_REQUIRED } from '#contract/security-policy.ts'
import { readsOnlyOf, type Viewer } from '../viewer.ts'
import { AppError, forbidden, unauthenticated } from './errors.ts'
import type { App } from './http.ts'
import { tellLimits } from './limits.ts'

/** The hooks of a route: who may pass, and what its limits granted. */
export const hooksOf = (app: App, endpoint: Endpoint) => ({
  onRequest: (request: FastifyRequest) => admit(app, endpoint, request),
  onSend: tellLimits,
})

async function admit(app: App, endpoint: Endpoint, request: FastifyRequest): Promise<void> {
  request.viewer = null
  request.keyReader = null
  if (!endpoint.file && !acceptsJson(request.headers.accept))
    throw new AppError(406, 'NOT_ACCEPTABLE', 'La respuesta es application/json')
  const viewer = await app.findViewer(request)
  request.viewer = viewer ?? null
  if (!Array.isArray(endpoint.access)) return
  if (!viewer) return admitKey(app, endpoint, request)
  await app.limitViewer(viewer, request)
  const readsOnly = readsOnlyOf(viewer)
  const refusal = readsOnlyRefusal(readsOnly, endpoint)
  if (readsOnly === 'view' && (refusal || endpoint.elevated)) throw new AppError(403, 'VIEW_ONLY', VIEW_ONLY)
  if (!endpoint.access.includes(viewer.role)) throw forbidden()
  expectReady(viewer, endpoint)
  if (refusal) throw forbidden(refusal)
  expectDuty(viewer, endpoint.need, endpoint.method === 'GET')
  if (endpoint.elevated) expectElevated(viewer)
}

/** First a password that nobody else knows, then the factor beside it: else who typed the password could register one. */
function expectReady(viewer: Viewer, endpoint: Endpoint): void {
  if (viewer.hasGivenPassword) {
    if (!endpoint.givenPassword) throw new AppError(403, 'OWN_PASSWORD_REQUIRED', OWN_PASSWORD_REQUIRED)
  } else if (viewer.lacksFactor && !endpoint.unenrolled)
    throw new AppError(403, 'SECOND_FACTOR_REQUIRED', SECOND_FACTOR_REQUIRED)
}

/** A system with a key: what it may read, the endpoints say one by one. */
async function admitKey(app: App, { access, byKey }: Endpoint, request: FastifyRequest): Promise<void> {
  const { 'x-api-key': key, authorization } = request.headers
  // With a token that is not good, a key beside it must not open what the token would not.
  if (typeof key !== 'string' || authorization !== undefined) throw unauthenticated()
  const reader = await app.findKeyReader(request, key.trim())
  request.keyReader = reader
  await app.limitKeyReader(reader, request)
  if (byKey === null) throw forbidden(NOT_BY_KEY)
  if (!Array.isArray(access) || !access.includes(reader.role)) throw forbidden()
  if (!opens(reader.scope, byKey)) throw forbidden(NOT_OF_KEY)
}

const NOT_BY_KEY = 'Con una clave solo se consultan leads, comisiones, pagos, reportes y exportaciones'
const NOT_OF_KEY = 'El alcance de la clave no incluye esta consulta'

export function expectDuty({ duty }: Viewer, need: Need, reads = false): void {
  const refusal = refusalOf(duty, need)
  if (refusal) throw forbidden(reads ? NOT_OF_DUTY : refusal)
}

/** For what part of a call alone needs it, and so no endpoint says. */
export function expectElevated(viewer: Viewer): void {
  if (!viewer.elevated) throw new AppError(403, 'ELEVATION_REQUIRED', ELEVATION_REQUIRED)
}

const acceptsJson = (accept: string | undefined): boolean =>
  accept === undefined || accept === '' || /(application|\*)\/(\*|json|problem\+json)|^\*$/i.test(accept)

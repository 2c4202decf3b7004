import type { FastifyRequest } from 'fastify'
import type { ApiKeys } from '../companies/api-keys.ts'
import { AppError } from '../http/errors.ts'
import type { App } from '../http/http.ts'
import type { Sender } from './sent-events.ts'
import { isSignatureGood, isSigned } from './signature.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The issuer behind X-API-Key or the postback token; null outside the calls that need one. */
    sender: (Sender & { key: string }) | null
    /** The body as received: what a signature signs. */
    rawBody: Buffer
  }
}

const NOTHING = Buffer.alloc(0)

export const invalidKey = () => new AppError(401, 'INVALID_API_KEY', 'La clave de API no es válida')
const invalidSignature = () => new AppError(401, 'INVALID_SIGNATURE', 'La firma no es válida o caducó')

export interface IssuerAccess {
  apiKeys: ApiKeys
  /** Called for every request with a good key; throws 429 past the limit. */
  limitIssuer: (issuerId: number) => Promise<void>
}

/** Requires an issuer's key for every call of this scope, before any of the body is read. */
export function requireIssuerKey(scope: App, { apiKeys, limitIssuer }: IssuerAccess): void {
  scope.decorateRequest('sender', null)
  scope.decorateRequest('rawBody', null as unknown as Buffer)
  keepRawBody(scope)
  scope.addHook('onRequest', async (request) => {
    const key = request.headers['x-api-key']
    const issuer = typeof key === 'string' ? await apiKeys.findIssuer('api', key.trim()) : undefined
    if (!issuer || typeof key !== 'string') throw invalidKey()
    await limitIssuer(issuer.issuerId)
    request.sender = { issuerId: issuer.issuerId, key: key.trim() }
  })
  scope.addHook('preHandler', async (request) => {
    if (!isSigned(request.headers)) return
    const { key } = senderOf(request)
    if (!isSignatureGood(request.headers, key, request.rawBody ?? NOTHING, Date.now())) throw invalidSignature()
  })
}

export function senderOf(request: FastifyRequest): Sender & { key: string } {
  if (!request.sender) throw invalidKey()
  return request.sender
}

function keepRawBody(scope: App): void {
  const parse = scope.getDefaultJsonParser('error', 'error')
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    request.rawBody = body as Buffer
    parse(request, body.toString('utf8'), done)
  })
}

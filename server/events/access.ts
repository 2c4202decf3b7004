import type { FastifyRequest } from 'fastify'
import { truncateAddress } from '../clicks/visitor.ts'
import type { ApiKeys, KnownIssuer } from '../companies/api-keys.ts'
import { prefixOf } from '../companies/key-text.ts'
import { addressOf } from '../http/addresses.ts'
import { invalidKey } from '../http/errors.ts'
import type { App } from '../http/http.ts'
import { type Limit, worthOf } from '../http/limits.ts'
import { jsonOrForm, readBodies } from './bodies.ts'
import { type Came, refuse, type Sender } from './sent-events.ts'
import { isSignatureGood, isSigned } from './signature.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The issuer behind X-API-Key or the postback token; null outside the calls that need one. */
    sender: KnownSender | null
    /** The body as received: what a signature signs. */
    rawBody: Buffer
  }
}

type KnownSender = Sender & KnownIssuer & { key: string; came: Came }

const NOTHING = Buffer.alloc(0)

const unsigned = () => refuse('SIGNATURE_REQUIRED', ': faltan webhook-id, webhook-timestamp y webhook-signature')
/** Parameters of an address cannot be signed. */
export const unsignable = () => refuse('SIGNATURE_REQUIRED', ', y los postbacks por parámetros no llevan firma')

export interface IssuerAccess {
  apiKeys: ApiKeys
  /** Called for every request with a good key, and again for the size of its body; throws 429 past the limit. */
  limitIssuer: Limit<number>
}

/** Requires an issuer's key for every call of this scope, before any of the body is read. */
export function requireIssuerKey(scope: App, { apiKeys, limitIssuer }: IssuerAccess): void {
  scope.decorateRequest('sender', null)
  scope.decorateRequest('rawBody', null as unknown as Buffer)
  keepRawBody(scope)
  scope.addHook('onRequest', async (request) => {
    const key = request.headers['x-api-key']
    if (typeof key !== 'string') throw invalidKey()
    const sender = await findSender(apiKeys, request, 'api', key.trim())
    await limitIssuer(sender.issuerId, request)
    request.sender = sender
  })
  scope.addHook('preHandler', async (request) => {
    const sender = senderOf(request)
    const more = worthOf(request.rawBody?.length ?? 0, countEvents(request.body))
    if (more > 0) await limitIssuer(sender.issuerId, request, more)
    const { key, keySigns, signingSecrets, signatureRequired } = sender
    if (!isSigned(request.headers)) {
      if (signatureRequired && request.method !== 'GET') throw unsigned()
      return
    }
    const secrets = keySigns ? [...signingSecrets, Buffer.from(key)] : signingSecrets
    if (!isSignatureGood(request.headers, secrets, request.rawBody ?? NOTHING, Date.now()))
      throw refuse('INVALID_SIGNATURE')
    request.sender = { ...sender, came: { ...sender.came, signed: true } }
  })
}

const countEvents = (body: unknown): number =>
  typeof body === 'object' && body !== null && 'events' in body && Array.isArray(body.events) ? body.events.length : 1

/** Who sends with this key, from where. */
export async function findSender(
  apiKeys: ApiKeys,
  request: FastifyRequest,
  kind: 'api' | 'postback',
  key: string,
): Promise<KnownSender> {
  const from = truncateAddress(addressOf(request)) || null
  const issuer = await apiKeys.findIssuer(kind, key, from)
  if (!issuer) throw invalidKey()
  // The key itself is not kept.
  const came = {
    by: kind === 'postback' ? ('postback' as const) : ('single' as const),
    key: prefixOf(key),
    signed: false,
  }
  return { ...issuer, key, from, came }
}

export function senderOf(request: FastifyRequest): KnownSender {
  if (!request.sender) throw invalidKey()
  return request.sender
}

function keepRawBody(scope: App): void {
  readBodies(scope, (request, bytes, parseJson) => {
    request.rawBody = bytes
    return jsonOrForm(request, bytes, parseJson)
  })
}

import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { errors, jwtVerify, SignJWT } from 'jose'
import { addressOf } from '../http/addresses.ts'
import type { Identities, Viewer } from '../viewer.ts'

/** Seconds. */
const ACCESS_LIFETIME = 10 * 60
const ISSUER = 'afluente'
const KEY_ID = 'a1'
const SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Independent keys for each purpose out of the one SECRET (RFC 5869). */
export const deriveKey = (secret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, 'afluente', purpose, 32))

/** Ten-minute bearer tokens. They name only a session; the database says whose it is (security 2.3). */
export class AccessTokens {
  readonly #key: Uint8Array

  constructor(secret: string) {
    this.#key = deriveKey(secret, 'access-token')
  }

  sign(session: { id: string; userId: number }): Promise<string> {
    return new SignJWT({ sid: session.id, token_use: 'access' })
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: KEY_ID })
      .setIssuer(ISSUER)
      .setAudience(ISSUER)
      .setSubject(String(session.userId))
      .setJti(randomBytes(12).toString('base64url'))
      .setIssuedAt()
      .setExpirationTime(`${ACCESS_LIFETIME}s`)
      .sign(this.#key)
  }

  /** The session of a good token. One that has expired was good once: its signature is looked at first. */
  async verify(token: string): Promise<{ sessionId: string } | 'expired' | 'invalid'> {
    if (token.length > 2048) return 'invalid'
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.#key, {
        algorithms: ['HS256'],
        issuer: ISSUER,
        audience: ISSUER,
        typ: 'at+jwt',
        clockTolerance: 5,
        requiredClaims: ['exp', 'sub', 'sid'],
      })
      if (protectedHeader.kid !== KEY_ID || payload.token_use !== 'access') return 'invalid'
      const { sid: sessionId } = payload
      return typeof sessionId === 'string' && SESSION_ID.test(sessionId) ? { sessionId } : 'invalid'
    } catch (error) {
      return error instanceof errors.JWTExpired ? 'expired' : 'invalid'
    }
  }
}

/** 256 random bits; only their hash is stored. */
export const newSecretToken = (): string => randomBytes(32).toString('base64url')
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** RFC 6750: one token and nothing after it. */
const BEARER = /^bearer +([\w.~+/-]+=*)$/i

/** Who the bearer token of a request belongs to. */
export async function viewerOf(
  request: FastifyRequest,
  tokens: AccessTokens,
  identities: Identities,
): Promise<Viewer | undefined> {
  const { authorization } = request.headers
  if (authorization === undefined) return undefined
  const [, token = ''] = BEARER.exec(authorization) ?? []
  const found = await tokens.verify(token)
  if (typeof found === 'string') {
    request.bearer = found
    return undefined
  }
  const identity = await identities.find(found.sessionId)
  return identity ? { ...identity, requestId: request.id, address: addressOf(request) } : undefined
}

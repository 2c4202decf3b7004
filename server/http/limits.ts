import type { FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { partyOf, type Reader, type Viewer } from '../viewer.ts'
import { AppError } from './errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What limits granted this request, for its answer to say. */
    limits: LimitState[] | null
  }
}

interface LimitState {
  policy: string
  left: string
}

interface Allowance {
  /** As `RateLimit-Policy` calls it. */
  name: string
  points: number
  duration: number
}

/** Counts a request of somebody, or as many as its work is worth; throws 429 past the limit. */
export type Limit<Who> = (who: Who, request: FastifyRequest, worth?: number) => Promise<void>

export function rateLimited(milliseconds: number, message: string): AppError {
  return new AppError(429, 'RATE_LIMITED', message, { retryAfter: Math.max(1, Math.ceil(milliseconds / 1000)) })
}

/**
 * `points` requests per key in `duration` seconds. Counted in memory, unlike sign-ins: the limit protects the cores of
 * this process, which no other copy shares, and PostgreSQL would cost more than the requests refused.
 */
export function createLimit({ name, points, duration }: Allowance, message: string): Limit<string | number> {
  const limiter = new RateLimiterMemory({ points, duration })
  const policy = `"${name}";q=${points};w=${duration}`
  return async (who, request, worth = 1) => {
    const { consumedPoints, remainingPoints, msBeforeNext } = await limiter.consume(who, worth).catch(asRefusal)
    const left = `"${name}";r=${Math.max(0, remainingPoints)};t=${Math.ceil(msBeforeNext / 1000)}`
    request.limits = [...(request.limits ?? []).filter((limit) => limit.policy !== policy), { policy, left }]
    if (consumedPoints > points) throw rateLimited(msBeforeNext, message)
  }
}

function asRefusal(refused: unknown): RateLimiterRes {
  if (refused instanceof RateLimiterRes) return refused
  throw refused
}

/** The headers of draft-ietf-httpapi-ratelimit-headers, on answers of every status; a hook of each route that is limited. */
export function tellLimits({ limits }: FastifyRequest, reply: FastifyReply, _payload: unknown, done: () => void): void {
  if (limits)
    reply
      .header('ratelimit-policy', limits.map(({ policy }) => policy).join(', '))
      .header('ratelimit', limits.map(({ left }) => left).join(', '))
  done()
}

const TOO_MANY = 'Demasiadas solicitudes. Espera un momento e inténtalo de nuevo.'

/** Requests per second of each user (D67). */
export function createViewerLimit(points: number): Limit<Viewer> {
  const limit = createLimit({ name: 'user', points, duration: 1 }, TOO_MANY)
  return ({ userId }, request) => limit(userId, request)
}

/**
 * The same for each issuer's systems, with whichever of its keys. A request that is worth more than all of a second is
 * worth as much as is left after one other, or it would never be granted.
 */
export function createIssuerLimit(points: number): Limit<number> {
  const limit = createLimit({ name: 'events', points, duration: 1 }, TOO_MANY)
  return (issuerId, request, worth = 1) => limit(issuerId, request, Math.min(worth, Math.max(1, points - 2)))
}

const BYTES_OF_ONE = 16 * 1024
const EVENTS_OF_ONE = 10

/** How many requests of one event a body is worth beyond the one that it came with. */
export const worthOf = (bytes: number, events: number): number =>
  Math.floor(Math.max(bytes / BYTES_OF_ONE, (events - 1) / EVENTS_OF_ONE))

/** By the minute, since a program reads in bursts; apart from events, which reading must never keep out. */
const READS = { name: 'reads', points: 600, duration: 60 }

/** Of a company's systems together, and of each key of the network. */
export function createReadLimit(): Limit<Reader> {
  const limit = createLimit(READS, TOO_MANY)
  return (reader, request) => limit(partyOf(reader), request)
}

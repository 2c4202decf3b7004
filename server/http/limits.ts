import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Viewer } from '../viewer.ts'
import { AppError } from './errors.ts'

export function rateLimited(milliseconds: number, message: string): AppError {
  return new AppError(429, 'RATE_LIMITED', message, { retryAfter: Math.max(1, Math.ceil(milliseconds / 1000)) })
}

/**
 * `points` requests per key in `duration` seconds. Counted in memory, unlike sign-ins: the limit protects the cores of
 * this process, which no other copy shares, and PostgreSQL would cost more than the requests refused.
 */
export function createLimit(
  allowance: { points: number; duration: number },
  message: string,
): (who: string | number) => Promise<void> {
  const limiter = new RateLimiterMemory(allowance)
  return async (who) => {
    try {
      await limiter.consume(who)
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused
      throw rateLimited(refused.msBeforeNext, message)
    }
  }
}

const TOO_MANY = 'Demasiadas solicitudes. Espera un momento e inténtalo de nuevo.'

/** Requests per second of each user (D67). */
export function createViewerLimit(points: number): (viewer: Viewer) => Promise<void> {
  const limit = createLimit({ points, duration: 1 }, TOO_MANY)
  return (viewer) => limit(viewer.userId)
}

/** The same for each issuer's systems, with whichever of its keys; a batch is one request. */
export const createIssuerLimit = (points: number): ((issuerId: number) => Promise<void>) =>
  createLimit({ points, duration: 1 }, TOO_MANY)

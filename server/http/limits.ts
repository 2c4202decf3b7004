import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Viewer } from '../viewer.ts'
import { AppError } from './errors.ts'

export function rateLimited(milliseconds: number, message: string): AppError {
  return new AppError(429, 'RATE_LIMITED', message, { retryAfter: Math.max(1, Math.ceil(milliseconds / 1000)) })
}

/**
 * So many requests for each, in so many seconds. Counted in memory, unlike sign-ins: the limit guards the cores of this
 * process, which no other copy shares, and asking PostgreSQL would cost more than the requests that it turns away.
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

/** So many a second for each user (D67). */
export function createViewerLimit(points: number): (viewer: Viewer) => Promise<void> {
  const limit = createLimit({ points, duration: 1 }, TOO_MANY)
  return (viewer) => limit(viewer.userId)
}

/** As many for each issuer's systems, whichever of its keys they use; a batch is one request. */
export const createIssuerLimit = (points: number): ((issuerId: number) => Promise<void>) =>
  createLimit({ points, duration: 1 }, TOO_MANY)

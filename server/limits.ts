import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from './errors.ts'
import type { Viewer } from './viewer.ts'

export function rateLimited(milliseconds: number, message: string): AppError {
  return new AppError(429, 'RATE_LIMITED', message, { retryAfter: Math.max(1, Math.ceil(milliseconds / 1000)) })
}

/** For each user (D67). */
const REQUESTS_PER_SECOND = 100

/**
 * So many requests a second for each user. Counted in memory, unlike sign-ins: the limit guards the cores of this
 * process, which no other copy shares, and asking PostgreSQL would cost more than the requests that it turns away.
 */
export function createViewerLimit(points = REQUESTS_PER_SECOND): (viewer: Viewer) => Promise<void> {
  const limiter = new RateLimiterMemory({ points, duration: 1 })
  return async (viewer) => {
    try {
      await limiter.consume(viewer.userId)
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused
      throw rateLimited(refused.msBeforeNext, 'Demasiadas solicitudes. Espera un momento e inténtalo de nuevo.')
    }
  }
}

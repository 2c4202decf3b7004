import type { Outcome } from './dial.ts'

const MINUTE = 60
const HOUR = 3_600

/** Seconds from an attempt that failed to the next: twelve in some 72 hours (api.md 6). */
const DELAYS = [
  ...[5, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR],
  ...[14 * HOUR, 15 * HOUR, 15 * HOUR],
]
const JITTER = 0.2
/** Of these answers another attempt rarely makes a good one. */
const HOPELESS = [400, 401, 403, 404, 405]
const HOPELESS_ATTEMPTS = 4

export const FAILING_AFTER = 5
export const PAUSED_AFTER_HOURS = 72
const PROBE_MAX = 30 * MINUTE

export type Verdict =
  | { state: 'delivered' }
  | { state: 'failed'; reason: 'attempts' | 'refused' }
  | { state: 'waiting'; delaySeconds: number }

export const isGood = ({ status }: Pick<Outcome, 'status'>): boolean => status !== null && status >= 200 && status < 300

/** What follows from the outcome of an attempt, counted from 1; `chance` is from 0 to 1. */
export function verdictOf(
  number: number,
  outcome: Pick<Outcome, 'status' | 'retryAfter'>,
  chance = Math.random(),
): Verdict {
  if (isGood(outcome)) return { state: 'delivered' }
  if (HOPELESS.includes(outcome.status ?? 0) && number >= HOPELESS_ATTEMPTS)
    return { state: 'failed', reason: 'refused' }
  const delay = DELAYS[number - 1]
  if (delay === undefined) return { state: 'failed', reason: 'attempts' }
  const varied = delay * (1 + JITTER * (2 * chance - 1))
  return { state: 'waiting', delaySeconds: Math.max(varied, outcome.retryAfter ?? 0) }
}

/** Seconds until a failing receiver is tried again, with one delivery alone. */
export const probeDelay = (failures: number): number =>
  Math.min(30 * 2 ** Math.max(0, failures - FAILING_AFTER), PROBE_MAX)

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError, invalid } from '../http/errors.ts'
import { argon2id } from './argon2.ts'
import { weaknessOf } from './weak-passwords.ts'

/** OWASP's first choice of 2025: 19 MiB, two passes, one lane. `memory` is in KiB. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32
const QUEUE_LIMIT = 50
/** Of one network: whoever knows a password, and so is never locked, must not keep everybody else out. */
const NETWORK_LIMIT = 25

/**
 * One job at a time and fifty waiting: a flood of sign-ins must leave the other core to the redirects (security 2.2).
 * What a job reads and counts besides hashing cannot interleave with another sign-in of this process either.
 */
export class HashQueue {
  #waiting = 0
  readonly #ofNetwork = new Map<string, number>()
  #last: Promise<unknown> = Promise.resolve()

  /** For a check before other work is done in vain. */
  expectRoom(network = ''): void {
    if (this.#waiting > QUEUE_LIMIT || (this.#ofNetwork.get(network) ?? 0) >= NETWORK_LIMIT)
      throw new AppError(429, 'RATE_LIMITED', 'Hay demasiadas solicitudes. Inténtalo de nuevo en unos segundos.', {
        retryAfter: 5,
      })
  }

  async run<T>(job: () => Promise<T>, network = ''): Promise<T> {
    this.expectRoom(network)
    this.#count(network, 1)
    const result = this.#last.then(job).finally(() => this.#count(network, -1))
    // The next job starts whatever the outcome of this one, which its own caller handles.
    this.#last = result.catch(() => undefined)
    return result
  }

  #count(network: string, change: 1 | -1): void {
    this.#waiting += change
    if (network === '') return
    const left = (this.#ofNetwork.get(network) ?? 0) + change
    if (left > 0) this.#ofNetwork.set(network, left)
    else this.#ofNetwork.delete(network)
  }
}

export const hashQueue = new HashQueue()

/** The PHC string to store. Refuses weak passwords, naming the field of the form. */
export async function hashPassword(password: string, field = 'password', network?: string): Promise<string> {
  const weakness = weaknessOf(password)
  if (weakness) throw invalid(field, weakness)
  return hashQueue.run(() => toPhc(password), network)
}

/** For use inside a job of the queue; others call `hashPassword`. */
export async function toPhc(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES)
  const tag = await argon2id({ ...COST, message: password, nonce, tagLength: TAG_BYTES })
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${toText(nonce)}$${toText(tag)}`
}

/** For use inside a job of the queue. An unreadable hash costs as much time as a good one and matches nothing. */
export async function matches(password: string, phc: string): Promise<boolean> {
  const stored = parsePhc(phc)
  const { cost, nonce, tag } = stored ?? nobody
  const actual = await argon2id({ ...cost, message: password, nonce, tagLength: tag.length })
  return timingSafeEqual(actual, tag) && stored !== undefined
}

/** Whether the hash was made with less than what we ask for today. */
export const isWeak = (phc: string): boolean => {
  const stored = parsePhc(phc)
  return !stored || stored.cost.memory < COST.memory || stored.cost.passes < COST.passes
}

/** The hash that unknown addresses are compared with. */
export const NOBODY = '!'
const nobody = { cost: COST, nonce: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) }

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function parsePhc(phc: string) {
  const [, memory, passes, parallelism, nonce = '', tag = ''] = PHC.exec(phc) ?? []
  if (!memory) return undefined
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

const toText = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

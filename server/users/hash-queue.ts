import { AppError } from '../http/errors.ts'
import { type InTurn, oneAtATime } from '../one-at-a-time.ts'

const QUEUE_LIMIT = 50
/** Of one account, and of one network, however wide: two of them leave a place to everybody else. */
const SHARE_LIMIT = 25

/** For whom a job is done, and from where. */
export interface Place {
  account: string
  networks: { network: string }[]
}

const namesOf = (place?: Place): string[] =>
  place ? [place.account, ...place.networks.map(({ network }) => network)] : []

/**
 * One job at a time and fifty waiting: a flood of sign-ins must leave the other core to the redirects (security 2.2).
 * What a job reads and counts besides hashing cannot interleave with another sign-in of this process either.
 *
 * Jobs of one account wait for each other and hold one of the fifty places together: whoever knows a password, and so
 * is never locked, must not keep everybody else out, from however many networks they come.
 */
export class HashQueue {
  readonly #inTurn: InTurn
  /** Of each account that waits; a job of none is alone in its own. */
  readonly #lines = new Map<string | symbol, InTurn>()
  readonly #jobsOf = new Map<string | symbol, number>()

  constructor(inTurn = oneAtATime()) {
    this.#inTurn = inTurn
  }

  /** For a check before other work is done in vain. */
  expectRoom(place?: Place): void {
    const isInLine = place && this.#lines.has(place.account)
    const isFull = !isInLine && this.#lines.size > QUEUE_LIMIT
    if (isFull || namesOf(place).some((name) => (this.#jobsOf.get(name) ?? 0) >= SHARE_LIMIT))
      throw new AppError(429, 'RATE_LIMITED', 'Hay demasiadas solicitudes. Inténtalo de nuevo en unos segundos.', {
        retryAfter: 5,
      })
  }

  async run<T>(job: () => Promise<T>, place?: Place): Promise<T> {
    this.expectRoom(place)
    const account = place?.account ?? Symbol('nobody')
    const line = this.#lines.get(account) ?? oneAtATime()
    this.#lines.set(account, line)
    const counted = place ? namesOf(place) : [account]
    for (const name of counted) this.#count(name, 1)
    return line(() => this.#inTurn(job)).finally(() => {
      for (const name of counted) this.#count(name, -1)
      if (!this.#jobsOf.has(account)) this.#lines.delete(account)
    })
  }

  #count(name: string | symbol, change: 1 | -1): void {
    const left = (this.#jobsOf.get(name) ?? 0) + change
    if (left > 0) this.#jobsOf.set(name, left)
    else this.#jobsOf.delete(name)
  }
}

const inTurn = oneAtATime()
/** Of who is in: sign-ins, however many, leave the places of those who have a session or a link to them. */
export const hashQueue = new HashQueue(inTurn)
export const signInQueue = new HashQueue(inTurn)

import { createHmac } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { RateLimiterMemory, type RateLimiterPostgres } from 'rate-limiter-flexible'
import { TOO_MANY_ATTEMPTS } from '#contract/auth.ts'
import type { Db } from '#db/connect.ts'
import { AppError } from '../http/errors.ts'
import { rateLimited } from '../http/limits.ts'
import { type Place, signInQueue } from '../users/hash-queue.ts'
import { counter, countIn, expectOver, tooSoon } from './counters.ts'
import { networkOf, networksOf } from './networks.ts'
import { deriveKey } from './tokens.ts'

const QUARTER = 15 * 60
const HOUR = 60 * 60
const PAIR_FAILURES = 5
const ACCOUNT_FAILURES = 50
const NETWORK_FAILURES = 100
const FIRST_LOCK = 60
const LONGEST_WAIT = 15
const FAILURES_PER_DOUBLING = 25
const HOME_DAYS = 30
const REFRESHES_PER_MINUTE = 10
const LETTERS_PER_HOUR = 3
const FORGOTTEN_PER_NETWORK = 20
const REFUSED_PER_NETWORK = 60
/** Far more than an office signs in: each is a row. */
const QUESTIONS_PER_NETWORK = 1000
/** Of a million that three fit: in a year of this, one account in thirty would be opened by who has its password. */
const CODES_PER_DAY = 30

/** Where codes are guessed: each session has a count of its own, or a stolen one would close its owner's sign-in. */
type CodeDoor = `user ${number}` | `session ${string}`

/** The keys that a sign-in is counted under; none reveals an address. */
interface ThrottleKeys extends Place {
  /** The account from its narrowest network, whether or not the account exists. */
  home: string
  /** From the narrowest to the widest. */
  networks: (Place['networks'][number] & { pair: string; allowance: number })[]
}

/**
 * Slows guessing without revealing which accounts exist and without letting anybody lock out another: only failures
 * count, and only the pair of account and network is ever locked (security 2.4). The counters live in PostgreSQL, so
 * that every copy of the server counts together and a restart forgets nothing.
 */
export class Throttle {
  readonly #key: Uint8Array
  readonly #pairs: RateLimiterPostgres
  readonly #lockouts: RateLimiterPostgres
  readonly #locks: RateLimiterPostgres
  readonly #accounts: RateLimiterPostgres
  readonly #turns: RateLimiterPostgres
  readonly #homes: RateLimiterPostgres
  readonly #networks: RateLimiterPostgres
  readonly #refreshes: RateLimiterPostgres
  readonly #letters: RateLimiterPostgres
  readonly #forgotten: RateLimiterPostgres
  readonly #refused: RateLimiterPostgres
  readonly #questions: RateLimiterPostgres
  readonly #codes: RateLimiterPostgres
  /** Locked networks with the end of their lock: a flood from them need not reach PostgreSQL. */
  readonly #shut = new RateLimiterMemory({ points: 1, duration: QUARTER })

  constructor(db: Db, secret: string) {
    this.#key = deriveKey(secret, 'throttle')
    this.#pairs = counter(db, 'pair', PAIR_FAILURES, QUARTER, true)
    this.#lockouts = counter(db, 'lockouts', 1, 24 * HOUR)
    this.#locks = counter(db, 'lock', 1, QUARTER)
    this.#accounts = counter(db, 'account', ACCOUNT_FAILURES, HOUR)
    this.#turns = counter(db, 'turn', 1, LONGEST_WAIT)
    this.#homes = counter(db, 'home', 1, HOME_DAYS * 24 * HOUR)
    this.#networks = counter(db, 'network', NETWORK_FAILURES, QUARTER)
    this.#refreshes = counter(db, 'refresh', REFRESHES_PER_MINUTE, 60)
    this.#letters = counter(db, 'letter', LETTERS_PER_HOUR, HOUR)
    this.#forgotten = counter(db, 'forgotten', FORGOTTEN_PER_NETWORK, QUARTER)
    this.#refused = counter(db, 'refused', REFUSED_PER_NETWORK, QUARTER)
    this.#questions = counter(db, 'question', QUESTIONS_PER_NETWORK, QUARTER)
    this.#codes = counter(db, 'code', CODES_PER_DAY, 24 * HOUR)
  }

  keys(email: string, address: string): ThrottleKeys {
    const networks = networksOf(address).map(({ name, ...limits }) => {
      return { ...limits, network: this.#name(name), pair: this.#name(`${email} ${name}`) }
    })
    return { account: this.#name(email), home: this.#name(`${email} ${networkOf(address)}`), networks }
  }

  /**
   * Runs a check of what somebody knows, which counts its own failure. In the queue of one at a time: parallel guesses
   * meet the lock, parallel owners do not. Who has a session waits in another queue than who signs in.
   */
  async guard<T>(keys: ThrottleKeys, check: () => Promise<T>, queue = signInQueue): Promise<T> {
    queue.expectRoom(keys)
    await this.#expectOpen(keys)
    const hasWaited = await this.#takeTurn(keys)
    return queue.run(async () => {
      await this.#expectOpen(keys)
      if (!hasWaited) await this.#expectNoTurnNeeded(keys)
      return check()
    }, keys)
  }

  async #expectOpen({ networks }: ThrottleKeys): Promise<void> {
    for (const { network } of networks) expectOver(await this.#shut.get(network))
    const refusals = networks.map(async ({ network, pair, allowance }) => {
      const [lock, failures] = await Promise.all([this.#locks.get(pair), this.#networks.get(network)])
      const shut = failures && failures.consumedPoints >= NETWORK_FAILURES * allowance ? failures : null
      if (shut) await this.#shut.block(network, shut.msBeforeNext / 1000)
      return [lock, shut]
    })
    expectOver(...(await Promise.all(refusals)).flat())
  }

  /**
   * Guesses at one account from many networks are made one at a time, each after a growing wait; whoever comes meanwhile
   * is asked to come back. A lock would hand the owner's account to the guesser, and so would a turn that the owner has
   * to win against a flood: networks from which the account was entered lately need none. Returns whether it waited.
   */
  async #takeTurn(keys: ThrottleKeys): Promise<boolean> {
    const seconds = await this.#waitOf(keys)
    if (seconds === 0) return false
    await this.#turns.consume(keys.account, 1, { customDuration: seconds }).catch((taken) => {
      throw tooSoon(taken)
    })
    await wait(seconds * 1000, undefined, { ref: false })
    return true
  }

  /** For those who needed no turn when they came: enough others may have failed before them. */
  async #expectNoTurnNeeded(keys: ThrottleKeys): Promise<void> {
    const seconds = await this.#waitOf(keys)
    if (seconds > 0) throw rateLimited(seconds * 1000, TOO_MANY_ATTEMPTS)
  }

  async #waitOf(keys: ThrottleKeys): Promise<number> {
    const account = await this.#accounts.get(keys.account)
    const seconds = waitAfter(account?.consumedPoints ?? 0)
    return seconds > 0 && (await this.#homes.get(keys.home)) ? 0 : seconds
  }

  async failed({ account, networks }: ThrottleKeys): Promise<void> {
    await Promise.all([
      this.#accounts.penalty(account),
      ...networks.map(({ network }) => this.#networks.penalty(network)),
      ...networks.map(({ pair, allowance }) => this.#countPair(pair, PAIR_FAILURES * allowance)),
    ])
  }

  async #countPair(pair: string, limit: number): Promise<void> {
    const { consumedPoints } = await this.#pairs.penalty(pair)
    if (consumedPoints < limit) return
    const { consumedPoints: lockouts } = await this.#lockouts.penalty(pair)
    await this.#locks.block(pair, Math.min(QUARTER, FIRST_LOCK * 2 ** (lockouts - 1)))
  }

  async succeeded({ home, networks }: ThrottleKeys): Promise<void> {
    await Promise.all([
      this.#homes.set(home, 1, HOME_DAYS * 24 * HOUR),
      ...networks.flatMap(({ pair }) => [this.#pairs.delete(pair), this.#lockouts.delete(pair)]),
    ])
  }

  async countRefresh(sessionId: string): Promise<void> {
    await countIn(this.#refreshes, sessionId, REFRESHES_PER_MINUTE)
  }

  /**
   * Whether a link may be mailed to the address. A network that asks for too many is refused; an address that was asked
   * for too often is not, since the refusal would be its owner's, and neither depends on whether it has an account.
   */
  async takeForgot(email: string, address: string): Promise<boolean> {
    await this.#countNetworks(this.#forgotten, address, FORGOTTEN_PER_NETWORK)
    const letters = await this.#letters.penalty(this.#name(email))
    return letters.consumedPoints <= LETTERS_PER_HOUR
  }

  /** Runs a check of a link or a passkey. Nobody guesses 256 bits; this keeps them from costing anything. */
  async guardToken<T>(address: string, check: () => Promise<T>): Promise<T> {
    await this.countQuestion(address)
    for (const { name, allowance } of networksOf(address)) {
      const refused = await this.#refused.get(this.#name(name))
      if (refused && refused.consumedPoints >= REFUSED_PER_NETWORK * allowance) expectOver(refused)
    }
    return check().catch(async (error: unknown) => {
      if (error instanceof AppError && (error.status === 401 || error.status === 410))
        await this.#countNetworks(this.#refused, address, REFUSED_PER_NETWORK)
      throw error
    })
  }

  /** What anybody may ask for: what a passkey is to answer, whether a link or an answer is valid. */
  countQuestion(address: string): Promise<void> {
    return this.#countNetworks(this.#questions, address, QUESTIONS_PER_NETWORK)
  }

  /** Narrowest first: what one of them asks in vain is not counted against its neighbours. */
  async #countNetworks(limiter: RateLimiterPostgres, address: string, allowed: number): Promise<void> {
    for (const { name, allowance } of networksOf(address)) await countIn(limiter, this.#name(name), allowed * allowance)
  }

  /** From however many networks: who comes this far has the password, or a session. */
  async mayGuessCode(door: CodeDoor): Promise<boolean> {
    const wrong = await this.#codes.get(this.#name(door))
    return (wrong?.consumedPoints ?? 0) < CODES_PER_DAY
  }

  async wrongCode(door: CodeDoor): Promise<void> {
    await this.#codes.penalty(this.#name(door))
  }

  #name(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url')
  }
}

/** Seconds before the next guess at an account that has seen so many failures in the last hour. */
export const waitAfter = (failures: number): number =>
  failures < ACCOUNT_FAILURES
    ? 0
    : Math.min(LONGEST_WAIT, 2 ** Math.floor((failures - ACCOUNT_FAILURES) / FAILURES_PER_DOUBLING))

import { createHmac } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible'
import { TOO_MANY_ATTEMPTS } from '#contract/auth.ts'
import type { Db } from '#db/connect.ts'
import { rateLimited } from '../http/limits.ts'
import { deriveKey } from './tokens.ts'

const QUARTER = 15 * 60
const HOUR = 60 * 60
const PAIR_FAILURES = 5
const ACCOUNT_FAILURES = 50
const NETWORK_FAILURES = 100
const FIRST_LOCK = 60
const REFRESHES_PER_MINUTE = 10

/** The keys that a sign-in is counted under; none reveals an address. */
interface ThrottleKeys {
  /** The account from one network, whether or not the account exists. */
  pair: string
  account: string
  network: string
}

/**
 * Slows guessing without revealing which accounts exist and without letting anybody lock out another: only failures
 * count, and only the pair of account and network is ever refused (security 2.4). The counters live in PostgreSQL, so
 * that every copy of the server counts together and a restart forgets nothing.
 */
export class Throttle {
  readonly #key: Uint8Array
  readonly #pairs: RateLimiterPostgres
  readonly #lockouts: RateLimiterPostgres
  readonly #locks: RateLimiterPostgres
  readonly #accounts: RateLimiterPostgres
  readonly #networks: RateLimiterPostgres
  readonly #refreshes: RateLimiterPostgres
  /** Locked networks with the end of their lock: a flood from them need not reach PostgreSQL. */
  readonly #shut = new RateLimiterMemory({ points: 1, duration: QUARTER })

  constructor(db: Db, secret: string) {
    this.#key = deriveKey(secret, 'throttle')
    this.#pairs = counter(db, 'pair', PAIR_FAILURES, QUARTER, true)
    this.#lockouts = counter(db, 'lockouts', 1, 24 * HOUR)
    this.#locks = counter(db, 'lock', 1, QUARTER)
    this.#accounts = counter(db, 'account', ACCOUNT_FAILURES, HOUR)
    this.#networks = counter(db, 'network', NETWORK_FAILURES, QUARTER)
    this.#refreshes = counter(db, 'refresh', REFRESHES_PER_MINUTE, 60)
  }

  keys(email: string, address: string): ThrottleKeys {
    const network = networkOf(address)
    return { pair: this.#name(`${email} ${network}`), account: this.#name(email), network: this.#name(network) }
  }

  async expectOpen(keys: ThrottleKeys): Promise<void> {
    expectOver(await this.#shut.get(keys.network))
    const [lock, network] = await Promise.all([this.#locks.get(keys.pair), this.#networks.get(keys.network)])
    const shut = network && network.consumedPoints >= NETWORK_FAILURES ? network : null
    if (shut) await this.#shut.block(keys.network, shut.msBeforeNext / 1000)
    expectOver(lock, shut)
  }

  /** Guessing one account from many networks is made slow; a lock would hand the owner's account to the guesser. */
  async slowDown(keys: ThrottleKeys): Promise<void> {
    const account = await this.#accounts.get(keys.account)
    if (account && account.consumedPoints >= ACCOUNT_FAILURES) await wait(1000)
  }

  async failed(keys: ThrottleKeys): Promise<void> {
    const [pair] = await Promise.all([
      this.#pairs.penalty(keys.pair),
      this.#accounts.penalty(keys.account),
      this.#networks.penalty(keys.network),
    ])
    if (pair.consumedPoints < PAIR_FAILURES) return
    const { consumedPoints: lockouts } = await this.#lockouts.penalty(keys.pair)
    await this.#locks.block(keys.pair, Math.min(QUARTER, FIRST_LOCK * 2 ** (lockouts - 1)))
  }

  async succeeded(keys: ThrottleKeys): Promise<void> {
    await Promise.all([this.#pairs.delete(keys.pair), this.#lockouts.delete(keys.pair)])
  }

  async countRefresh(sessionId: string): Promise<void> {
    const counted = await this.#refreshes.penalty(sessionId)
    if (counted.consumedPoints > REFRESHES_PER_MINUTE) throw rateLimited(counted.msBeforeNext, TOO_MANY_ATTEMPTS)
  }

  #name(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url')
  }
}

function expectOver(...refusals: (RateLimiterRes | null)[]): void {
  const wait = Math.max(...refusals.map((refusal) => refusal?.msBeforeNext ?? 0))
  if (wait > 0) throw rateLimited(wait, TOO_MANY_ATTEMPTS)
}

function counter(db: Db, keyPrefix: string, points: number, duration: number, sweeps = false): RateLimiterPostgres {
  return new RateLimiterPostgres({
    // The application's own pool and its role, which may not create tables.
    storeClient: { query: (query: { text: string; values: unknown[] }) => run(db, query) },
    storeType: 'client',
    tableName: 'throttle',
    tableCreated: true,
    // One limiter deletes expired rows for all of them.
    clearExpiredByTimeout: sweeps,
    keyPrefix,
    points,
    duration,
  })
}

async function run(db: Db, { text, values }: { text: string; values: unknown[] }) {
  const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, values))
  return { rows, rowCount: Number(numAffectedRows ?? rows.length) }
}

/** The /24 of an IPv4 address, the /64 of an IPv6 one: what one customer of a provider usually holds. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (isIPv4(plain)) return plain.split('.').slice(0, 3).join('.')
  const [head = '', tail] = plain.toLowerCase().split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail?.split(':').filter(Boolean) ?? []
  const zeros = Array(Math.max(0, 8 - left.length - right.length)).fill('0')
  const groups = tail === undefined ? left : [...left, ...zeros, ...right]
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}

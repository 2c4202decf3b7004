import type pg from 'pg'
import { z } from 'zod'
import { isDatabaseAway, unavailable } from '../http/errors.ts'
import { Gate } from '../start/gate.ts'

/** Where a link leads and who earns by it. */
export const Target = z.object({
  relationship_id: z.number(),
  product_id: z.number(),
  affiliate_id: z.number(),
  issuer_id: z.number(),
  redirect_url: z.string(),
  /** False when anything of it is inactive or archived: the link existed and answers 410. */
  live: z.boolean(),
})
export type Target = z.infer<typeof Target>

interface Known {
  target: Target
  until: number
}

const TTL = 60_000
const UNKNOWN_TTL = 5_000
/** How long a click waits for news of a link that is known, and when the next one waits again. */
const PATIENCE_MS = 40
const STALE_TTL = 1_000
const KNOWN_LIMIT = 50_000
const UNKNOWN_LIMIT = 10_000
/** Targets asked for again together. */
const PIECE = 1_000

interface Options {
  /** While it is closed, the database is not asked. */
  gate?: Gate
  /** Called when `live` would answer something else. */
  onChange?: () => void
}

/**
 * Link targets in memory: one query per pair however many clicks wait for it, asked for again on NOTIFY link_change and
 * at the latest after a minute. While the database is away or slow the last known target serves. Pairs that do not
 * exist are kept apart, so that guessing cannot push the real ones out.
 */
export class Targets {
  readonly #pool: pg.Pool
  readonly #gate: Gate
  readonly #onChange: () => void
  readonly #known = new Map<string, Known>()
  readonly #unknown = new Map<string, number>()
  readonly #loading = new Map<string, Promise<Target | undefined>>()
  #changes = 0

  constructor(pool: pg.Pool, { gate = Gate.opened(), onChange = () => undefined }: Options = {}) {
    this.#pool = pool
    this.#gate = gate
    this.#onChange = onChange
  }

  /** What an earlier process knew: served while the database cannot be asked. */
  adopt(targets: Target[]): void {
    for (const target of targets) this.#keep(keyOf(target), target, 0)
  }

  /** Every known target that is live. */
  get live(): Target[] {
    return [...this.#known.values()].map(({ target }) => target).filter(({ live }) => live)
  }

  /** At once when it is known for sure, as that of nearly every click is. */
  find(relationshipId: number, productId: number): Target | undefined | Promise<Target | undefined> {
    const key = keyOf({ relationship_id: relationshipId, product_id: productId })
    const now = Date.now()
    const known = this.#known.get(key)
    if (known && known.until > now) return known.target
    if ((this.#unknown.get(key) ?? 0) > now) return undefined
    const stale = known?.target.live ? known : undefined
    if (!this.#gate.isOpen) return stale?.target ?? Promise.reject(unavailable())
    const loading = this.#loading.get(key) ?? this.#load(key, relationshipId, productId)
    return stale ? orStale(loading, stale) : loading
  }

  /** Something changed: what is known serves on only while the database does not answer. */
  clear(): void {
    this.#changes += 1
    for (const known of this.#known.values()) known.until = 0
    this.#unknown.clear()
    this.#loading.clear()
  }

  /** Asks again for all that is known. */
  async refresh(): Promise<void> {
    const change = this.#changes
    const all = [...this.#known.values()].map(({ target }) => target)
    for (let at = 0; at < all.length; at += PIECE) {
      const asked = all.slice(at, at + PIECE)
      const found = new Map((await readPairs(this.#pool, asked)).map((target) => [keyOf(target), target]))
      // What came before another change must not come back; that change asks again for all.
      if (change !== this.#changes) return
      for (const each of asked) this.#remember(keyOf(each), found.get(keyOf(each)))
    }
  }

  async #load(key: string, relationshipId: number, productId: number): Promise<Target | undefined> {
    const loading = readTarget(this.#pool, relationshipId, productId)
    this.#loading.set(key, loading)
    // What a change has cleared meanwhile must not come back, but for the time without a database.
    const isLatest = () => this.#loading.get(key) === loading
    try {
      const target = await loading
      if (isLatest()) this.#remember(key, target)
      else if (target && !this.#known.has(key)) this.#keepStale(key, target)
      return target
    } finally {
      if (isLatest()) this.#loading.delete(key)
    }
  }

  #remember(key: string, target: Target | undefined): void {
    const before = this.#known.get(key)?.target
    this.#known.delete(key)
    if (target) this.#keep(key, target, Date.now() + TTL)
    else {
      if (this.#unknown.size >= UNKNOWN_LIMIT) this.#unknown.clear()
      this.#unknown.set(key, Date.now() + UNKNOWN_TTL)
    }
    if (servedStale(before) !== servedStale(target)) this.#onChange()
  }

  #keepStale(key: string, target: Target): void {
    this.#keep(key, target, 0)
    this.#onChange()
  }

  #keep(key: string, target: Target, until: number): void {
    if (this.#known.size >= KNOWN_LIMIT) this.#known.delete(this.#known.keys().next().value ?? '')
    this.#known.set(key, { target, until })
  }
}

const keyOf = ({ relationship_id, product_id }: Pick<Target, 'relationship_id' | 'product_id'>): string =>
  `${relationship_id} ${product_id}`

const servedStale = (target: Target | undefined): string => (target?.live ? JSON.stringify(target) : '')

/** The news, or what is known when they do not come. */
async function orStale(loading: Promise<Target | undefined>, known: Known): Promise<Target | undefined> {
  const late = Promise.withResolvers<Target>()
  const serveKnown = () => {
    known.until = Date.now() + STALE_TTL
    return known.target
  }
  const timer = setTimeout(() => late.resolve(serveKnown()), PATIENCE_MS)
  try {
    return await Promise.race([loading, late.promise])
  } catch (error) {
    if (!isDatabaseAway(error)) throw error
    return serveKnown()
  } finally {
    clearTimeout(timer)
  }
}

// As text: what builds queries takes longer to load than all that a click needs.
const TARGETS = `select relationship.id as relationship_id, product.id as product_id, relationship.affiliate_id,
    relationship.issuer_id, product.redirect_url,
    coalesce(relationship.archived_at, product.archived_at, issuer.archived_at, affiliate.archived_at) is null
      and relationship.relationship_status = 'active' and product.product_status = 'active'
      and issuer.user_status = 'active' and affiliate.user_status = 'active' as live
  from relationship
  join product on product.issuer_id = relationship.issuer_id
  join issuer on issuer.id = relationship.issuer_id
  join affiliate on affiliate.id = relationship.affiliate_id`
const ONE = `${TARGETS} where relationship.id = $1 and product.id = $2`
const PAIRS = `${TARGETS} where (relationship.id, product.id) in (select * from unnest($1::bigint[], $2::bigint[]))`

async function readTarget(pool: pg.Pool, relationshipId: number, productId: number): Promise<Target | undefined> {
  const { rows } = await pool.query<Target>(ONE, [relationshipId, productId])
  return rows[0]
}

async function readPairs(pool: pg.Pool, pairs: Target[]): Promise<Target[]> {
  const relationships = pairs.map(({ relationship_id }) => relationship_id)
  const products = pairs.map(({ product_id }) => product_id)
  return (await pool.query<Target>(PAIRS, [relationships, products])).rows
}

import type pg from 'pg'
import { z } from 'zod'
import { isConnectionEnded, unavailable } from '../http/errors.ts'
import { Readiness } from '../readiness.ts'

/** Where a link leads and who earns from it. */
export const Target = z.object({
  relationship_id: z.number(),
  product_id: z.number(),
  affiliate_id: z.number(),
  issuer_id: z.number(),
  redirect_url: z.string(),
  /** False when any part of it is inactive or archived: the link answers 410. */
  live: z.boolean(),
})
export type Target = z.infer<typeof Target>

interface Known {
  target: Target
  until: number
}

const TTL_MS = 60_000
const UNKNOWN_TTL_MS = 5_000
/** A click waits this long for a stale target to be read again. */
const PATIENCE_MS = 40
/** Then the stale target is served this long without waiting. */
const STALE_TTL_MS = 1_000
const KNOWN_LIMIT = 50_000
const UNKNOWN_LIMIT = 10_000
/** Targets per query of a refresh. */
const BATCH = 1_000

interface Options {
  /** Until ready, the database is not asked. */
  readiness?: Readiness
  /** Called when `live` changes. */
  onChange?: () => void
}

/**
 * Link targets cached in memory: one query per pair however many clicks wait for it, read again on NOTIFY link_change
 * and at the latest after a minute; LastingTargets reads all of them before that, so that no click waits. While the
 * database is away or slow, the last known target is served. Pairs that do not exist are cached apart, so that guessing
 * cannot evict real ones.
 */
export class Targets {
  readonly #pool: pg.Pool
  readonly #readiness: Readiness
  readonly #onChange: () => void
  readonly #known = new Map<string, Known>()
  readonly #unknown = new Map<string, number>()
  readonly #loading = new Map<string, Promise<Target | undefined>>()
  #changes = 0

  constructor(pool: pg.Pool, { readiness = Readiness.ready(), onChange = () => undefined }: Options = {}) {
    this.#pool = pool
    this.#readiness = readiness
    this.#onChange = onChange
  }

  /** Targets of an earlier process, served while the database cannot be asked. */
  adopt(targets: Target[]): void {
    for (const target of targets) this.#cache(keyOf(target), target, 0)
  }

  /** Every cached target that is live. */
  get live(): Target[] {
    return [...this.#known.values()].map(({ target }) => target).filter(({ live }) => live)
  }

  /** No promise when the target is cached, as for nearly every click. */
  find(relationshipId: number, productId: number): Target | undefined | Promise<Target | undefined> {
    const key = keyOf({ relationship_id: relationshipId, product_id: productId })
    const now = performance.now()
    const known = this.#known.get(key)
    if (known && known.until > now) return known.target
    if ((this.#unknown.get(key) ?? 0) > now) return undefined
    const stale = known?.target.live ? known : undefined
    if (!this.#readiness.isReady) return stale?.target ?? Promise.reject(unavailable())
    const loading = this.#loading.get(key) ?? this.#load(key, relationshipId, productId)
    return stale ? orStale(loading, stale) : loading
  }

  /** What was known is of another history: not even while the database is away. */
  forget(): void {
    this.clear()
    this.#known.clear()
  }

  /** Something changed: cached targets are served only while the database does not answer. */
  clear(): void {
    this.#changes += 1
    for (const known of this.#known.values()) known.until = 0
    this.#unknown.clear()
    this.#loading.clear()
  }

  /** Reads all cached targets again. */
  async refresh(): Promise<void> {
    const change = this.#changes
    const all = [...this.#known.values()].map(({ target }) => target)
    for (let at = 0; at < all.length; at += BATCH) {
      const asked = all.slice(at, at + BATCH)
      const found = new Map((await readTargets(this.#pool, asked)).map((target) => [keyOf(target), target]))
      // A later change makes this read outdated, and starts a refresh of its own.
      if (change !== this.#changes) return
      for (const each of asked) this.#remember(keyOf(each), found.get(keyOf(each)))
    }
  }

  async #load(key: string, relationshipId: number, productId: number): Promise<Target | undefined> {
    const loading = readTarget(this.#pool, relationshipId, productId)
    this.#loading.set(key, loading)
    // A change meanwhile makes this read outdated: it is served only while the database is away.
    const isLatest = () => this.#loading.get(key) === loading
    try {
      const target = await loading
      if (isLatest()) this.#remember(key, target)
      else if (target && !this.#known.has(key)) this.#cacheStale(key, target)
      return target
    } finally {
      if (isLatest()) this.#loading.delete(key)
    }
  }

  #remember(key: string, target: Target | undefined): void {
    const before = this.#known.get(key)?.target
    this.#known.delete(key)
    if (target) this.#cache(key, target, performance.now() + TTL_MS)
    else {
      if (this.#unknown.size >= UNKNOWN_LIMIT) this.#unknown.clear()
      this.#unknown.set(key, performance.now() + UNKNOWN_TTL_MS)
    }
    if (servedStale(before) !== servedStale(target)) this.#onChange()
  }

  #cacheStale(key: string, target: Target): void {
    this.#cache(key, target, 0)
    this.#onChange()
  }

  #cache(key: string, target: Target, until: number): void {
    if (this.#known.size >= KNOWN_LIMIT) this.#known.delete(this.#known.keys().next().value ?? '')
    this.#known.set(key, { target, until })
  }
}

const keyOf = ({ relationship_id, product_id }: Pick<Target, 'relationship_id' | 'product_id'>): string =>
  `${relationship_id} ${product_id}`

const servedStale = (target: Target | undefined): string => (target?.live ? JSON.stringify(target) : '')

/** The target as read again, or the stale one when the database does not answer in time. */
async function orStale(loading: Promise<Target | undefined>, known: Known): Promise<Target | undefined> {
  const late = Promise.withResolvers<Target>()
  const serveKnown = () => {
    known.until = performance.now() + STALE_TTL_MS
    return known.target
  }
  const timer = setTimeout(() => late.resolve(serveKnown()), PATIENCE_MS)
  try {
    return await Promise.race([loading, late.promise])
  } catch {
    // Whatever the database lacks meanwhile, as while it is restored in place; who reads all targets again reports it.
    return serveKnown()
  } finally {
    clearTimeout(timer)
  }
}

// Plain SQL: the query builder takes longer to load than everything a click needs.
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
const MANY = `${TARGETS} where (relationship.id, product.id) in (select * from unnest($1::bigint[], $2::bigint[]))`

async function readTarget(pool: pg.Pool, relationshipId: number, productId: number): Promise<Target | undefined> {
  const read = () => pool.query<Target>(ONE, [relationshipId, productId])
  const { rows } = await read().catch((error) => {
    if (!isConnectionEnded(error)) throw error
    return read()
  })
  return rows[0]
}

async function readTargets(pool: pg.Pool, pairs: Target[]): Promise<Target[]> {
  const relationships = pairs.map(({ relationship_id }) => relationship_id)
  const products = pairs.map(({ product_id }) => product_id)
  return (await pool.query<Target>(MANY, [relationships, products])).rows
}

import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { isDatabaseAway } from '../errors.ts'

/** Where a link leads and who earns by it. */
export interface Target {
  relationship_id: number
  product_id: number
  affiliate_id: number
  issuer_id: number
  redirect_url: string
  /** False when anything of it is inactive or archived: the link existed and answers 410. */
  live: boolean
}

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

/**
 * Link targets in memory: one query per pair however many clicks wait for it, asked for again on NOTIFY link_change and
 * at the latest after a minute. While the database is away or slow the last known target serves. Pairs that do not
 * exist are kept apart, so that guessing cannot push the real ones out.
 */
export class Targets {
  readonly #db: Db
  readonly #known = new Map<string, Known>()
  readonly #unknown = new Map<string, number>()
  readonly #loading = new Map<string, Promise<Target | undefined>>()

  constructor(db: Db) {
    this.#db = db
  }

  async find(relationshipId: number, productId: number): Promise<Target | undefined> {
    const key = `${relationshipId} ${productId}`
    const now = Date.now()
    const known = this.#known.get(key)
    if (known && known.until > now) return known.target
    if ((this.#unknown.get(key) ?? 0) > now) return undefined
    const loading = this.#loading.get(key) ?? this.#load(key, relationshipId, productId)
    return known ? orStale(loading, known) : loading
  }

  /** Something changed: what is known serves on only while the database does not answer. */
  clear(): void {
    for (const known of this.#known.values()) known.until = 0
    this.#unknown.clear()
    this.#loading.clear()
  }

  async #load(key: string, relationshipId: number, productId: number): Promise<Target | undefined> {
    const loading = readTarget(this.#db, relationshipId, productId)
    this.#loading.set(key, loading)
    // What a change has cleared meanwhile must not come back, but for the time without a database.
    const isLatest = () => this.#loading.get(key) === loading
    try {
      const target = await loading
      if (isLatest()) this.#remember(key, target)
      else if (target && !this.#known.has(key)) this.#keep(key, target, 0)
      return target
    } finally {
      if (isLatest()) this.#loading.delete(key)
    }
  }

  #remember(key: string, target: Target | undefined): void {
    this.#known.delete(key)
    if (target) this.#keep(key, target, Date.now() + TTL)
    else {
      if (this.#unknown.size >= UNKNOWN_LIMIT) this.#unknown.clear()
      this.#unknown.set(key, Date.now() + UNKNOWN_TTL)
    }
  }

  #keep(key: string, target: Target, until: number): void {
    if (this.#known.size >= KNOWN_LIMIT) this.#known.delete(this.#known.keys().next().value ?? '')
    this.#known.set(key, { target, until })
  }
}

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

const readTarget = (db: Db, relationshipId: number, productId: number): Promise<Target | undefined> =>
  db
    .selectFrom('relationship')
    .innerJoin('product', 'product.issuer_id', 'relationship.issuer_id')
    .innerJoin('issuer', 'issuer.id', 'relationship.issuer_id')
    .innerJoin('affiliate', 'affiliate.id', 'relationship.affiliate_id')
    .select([
      'relationship.id as relationship_id',
      'product.id as product_id',
      'relationship.affiliate_id',
      'relationship.issuer_id',
      'product.redirect_url',
      sql<boolean>`coalesce(relationship.archived_at, product.archived_at, issuer.archived_at, affiliate.archived_at)
        is null and relationship.relationship_status = 'active' and product.product_status = 'active'
        and issuer.user_status = 'active' and affiliate.user_status = 'active'`.as('live'),
    ])
    .where('relationship.id', '=', relationshipId)
    .where('product.id', '=', productId)
    .executeTakeFirst()

import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { type KeyKind, TOO_MANY_OLD_KEYS } from '#contract/companies.ts'
import type { Db, Tx } from '#db/connect.ts'
import { deriveKey } from '../auth/tokens.ts'
import { conflict } from '../http/errors.ts'
import { Sealer } from '../sealed.ts'
import { isWellFormed, type KeyOwner, newKey, prefixOf, signingBytes } from './key-text.ts'

const TTL = 5_000
const TOUCH_EVERY = 60_000
/** Every signed event is compared with each valid secret, so that thousands of them would stop the server. */
const OLD_KEYS = 10

/** The issuer behind a key, and how its events must be signed. */
export interface KnownIssuer {
  issuerId: number
  signatureRequired: boolean
  /** Any of them may sign. */
  signingSecrets: Buffer[]
  /** Whether the API key itself may sign, too. */
  keySigns: boolean
}

/** What a rotation does with the keys before it: a day to change one system after another, or nothing. */
export interface Rotation {
  revokeOld?: boolean
}

/**
 * The API keys of companies' systems (security 2.10). They are found by a peppered hash; the readable form is
 * encrypted, because its owner may read it again. The content of the database alone is of no use.
 */
export class ApiKeys {
  readonly #db: Db
  readonly #pepper: Uint8Array
  readonly #sealer: Sealer
  readonly #known = new Map<string, { found: Promise<(KnownIssuer & { id: number }) | undefined>; until: number }>()
  readonly #touched = new Map<number, number>()
  readonly #touching = new Set<Promise<void>>()

  constructor(db: Db, secret: string) {
    this.#db = db
    this.#pepper = deriveKey(secret, 'api-key-hash')
    this.#sealer = new Sealer(secret, 'api-key-encryption')
  }

  async create(tx: Db | Tx, owner: KeyOwner, kind: KeyKind): Promise<string> {
    const key = newKey(owner, kind)
    const columns = { ...columnsOf(owner), kind, prefix: prefixOf(key), kek_id: this.#sealer.keyId }
    await tx
      .insertInto('api_key')
      .values({ ...columns, key_hash: this.#hash(key), key_ciphertext: this.#sealer.seal(key, contextOf(owner, kind)) })
      .execute()
    return key
  }

  /** The readable key in force; undefined without one, or when it was encrypted under another secret. */
  async reveal(tx: Db | Tx, owner: KeyOwner, kind: KeyKind): Promise<string | undefined> {
    const row = await keysOf(tx, owner)
      .select(['key_ciphertext', 'kek_id'])
      .where('kind', '=', kind)
      .where('expires_at', 'is', null)
      .executeTakeFirst()
    return row?.kek_id === this.#sealer.keyId
      ? this.#sealer.open(row.key_ciphertext, contextOf(owner, kind))
      : undefined
  }

  async rotate(tx: Tx, owner: KeyOwner, kind: KeyKind, { revokeOld = false }: Rotation = {}): Promise<string> {
    if (!revokeOld && (await countOld(tx, owner, kind)) >= OLD_KEYS)
      throw conflict(TOO_MANY_OLD_KEYS, 'TOO_MANY_OLD_KEYS')
    await tx
      .updateTable('api_key')
      .set({ expires_at: sql<string>`now() + interval '24 hours'` })
      .where(ownedBy(owner))
      .where('kind', '=', kind)
      .where('expires_at', 'is', null)
      .execute()
    if (revokeOld) await this.revokeOld(tx, owner, kind)
    return this.create(tx, owner, kind)
  }

  /** Ends the keys of a kind that a rotation left valid; returns how many there were. */
  async revokeOld(tx: Tx, owner: KeyOwner, kind: KeyKind): Promise<number> {
    const { numUpdatedRows } = await tx
      .updateTable('api_key')
      .set({ expires_at: sql<string>`now()` })
      .where(ownedBy(owner))
      .where('kind', '=', kind)
      .where('expires_at', '>', sql<string>`now()`)
      .executeTakeFirst()
    return Number(numUpdatedRows)
  }

  async revokeAll(tx: Tx, owner: KeyOwner): Promise<void> {
    await tx
      .updateTable('api_key')
      .set({ expires_at: sql<string>`now()` })
      .where(ownedBy(owner))
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', eb.fn<string>('now'))]))
      .execute()
  }

  /**
   * Whose key this is, noting its use from a network. Unknown, expired and revoked keys and archived issuers look the
   * same: undefined.
   */
  async findIssuer(
    kind: 'api' | 'postback',
    key: string,
    from: string | null = null,
  ): Promise<KnownIssuer | undefined> {
    if (!isWellFormed(key)) return undefined
    const hash = this.#hash(key)
    const name = `${kind} ${hash.toString('base64')}`
    let known = this.#known.get(name)
    if (!known || known.until <= performance.now()) {
      if (this.#known.size > 10_000) this.#known.clear()
      known = { found: this.#findByHash(kind, hash), until: performance.now() + TTL }
      this.#known.set(name, known)
      known.found.catch(() => this.#known.delete(name))
    }
    const found = await known.found
    if (!found) return undefined
    const { id, ...issuer } = found
    this.#touch(id, from)
    return issuer
  }

  async #findByHash(kind: KeyKind, hash: Buffer) {
    const row = await findByHash(this.#db, kind, hash, this.#sealer.keyId)
    if (!row) return undefined
    const { id, issuerId, signatureRequired, keySigns, secrets } = row
    const context = contextOf({ issuerId }, 'signing')
    const signingSecrets = secrets.map((text) => signingBytes(this.#sealer.open(Buffer.from(text, 'base64'), context)))
    return { id, issuerId, signatureRequired, keySigns, signingSecrets }
  }

  /** Clears the cache of keys; called when companies changed. */
  clear(): void {
    this.#known.clear()
  }

  /** Waits for pending writes of last use; to be called before the database connection ends. */
  async settle(): Promise<void> {
    await Promise.all(this.#touching)
  }

  /** Writes the last use in the background: a lost write costs nothing. */
  #touch(id: number, from: string | null): void {
    const now = performance.now()
    if (now - (this.#touched.get(id) ?? Number.NEGATIVE_INFINITY) < TOUCH_EVERY) return
    this.#touched.set(id, now)
    const touching = noteUse(this.#db, id, from)
      .catch((error: Error) => process.emitWarning(`last_used_at: ${error.message}`))
      .finally(() => this.#touching.delete(touching))
    this.#touching.add(touching)
  }

  #hash(key: string): Buffer {
    return createHmac('sha256', this.#pepper).update(key).digest()
  }
}

/** Bound into the ciphertext: a row copied to another owner or kind does not decrypt. */
const contextOf = (owner: KeyOwner, kind: KeyKind): string =>
  'issuerId' in owner ? `issuer:${owner.issuerId}:${kind}` : `affiliate:${owner.affiliateId}:${kind}`

const columnsOf = (owner: KeyOwner) =>
  'issuerId' in owner ? { issuer_id: owner.issuerId } : { affiliate_id: owner.affiliateId }

const ownedBy = (owner: KeyOwner) =>
  'issuerId' in owner ? sql<boolean>`issuer_id = ${owner.issuerId}` : sql<boolean>`affiliate_id = ${owner.affiliateId}`

const keysOf = (db: Db | Tx, owner: KeyOwner) => db.selectFrom('api_key').where(ownedBy(owner))

/** Of changed ones that are valid still; callers hold the lock of the company. */
async function countOld(tx: Tx, owner: KeyOwner, kind: KeyKind): Promise<number> {
  const { count } = await keysOf(tx, owner)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('kind', '=', kind)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirstOrThrow()
  return count
}

/** All in one round trip, since events wait for it. */
async function findByHash(db: Db, kind: KeyKind, hash: Buffer, kekId: string) {
  return db
    .selectFrom('api_key')
    .innerJoin('issuer', 'issuer.id', 'api_key.issuer_id')
    .select((eb) => [
      'api_key.id',
      'issuer.id as issuerId',
      'issuer.signature_required as signatureRequired',
      sql<boolean>`coalesce(issuer.key_signs_until > now(), true)`.as('keySigns'),
      eb
        .selectFrom('api_key as secret')
        .select(sql<string[]>`coalesce(array_agg(encode(key_ciphertext, 'base64')), '{}')`.as('secrets'))
        .whereRef('secret.issuer_id', '=', 'issuer.id')
        .where('secret.kind', '=', 'signing')
        .where('secret.kek_id', '=', kekId)
        .where((one) =>
          one.or([one('secret.expires_at', 'is', null), one('secret.expires_at', '>', one.fn<string>('now'))]),
        )
        .$asScalar()
        .$notNull()
        .as('secrets'),
    ])
    .where('api_key.key_hash', '=', hash)
    .where('api_key.kind', '=', kind)
    .where((eb) => eb.or([eb('api_key.expires_at', 'is', null), eb('api_key.expires_at', '>', eb.fn<string>('now'))]))
    .where('issuer.archived_at', 'is', null)
    .executeTakeFirst()
}

/** The condition lets several copies of the server share the minute. */
async function noteUse(db: Db, id: number, from: string | null): Promise<void> {
  await db
    .updateTable('api_key')
    .set({ last_used_at: sql<string>`now()`, last_used_from: from })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', sql<string>`now() - interval '1 minute'`)]),
    )
    .execute()
}

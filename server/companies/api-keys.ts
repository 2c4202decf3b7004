import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import { type KeyKind, TOO_MANY_OLD_KEYS } from '#contract/companies.ts'
import type { Db, Tx } from '#db/connect.ts'
import { deriveKey } from '../auth/tokens.ts'
import { conflict } from '../http/errors.ts'
import { Sealer } from '../sealed.ts'
import { findCompanyOf, findIssuerOf, type KnownCompany } from './key-owners.ts'
import { isWellFormed, type KeyOwner, newKey, prefixOf, signingBytes } from './key-text.ts'
import { KnownKeys } from './known-keys.ts'

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
  /** Of plain bytes createHmac() would make a key for every event, which takes six times as long as the hash. */
  readonly #pepper: KeyObject
  readonly #sealer: Sealer
  readonly #issuers: KnownKeys<KnownIssuer & { id: number }>
  readonly #companies: KnownKeys<KnownCompany>

  constructor(db: Db, secret: string) {
    this.#db = db
    this.#pepper = createSecretKey(deriveKey(secret, 'api-key-hash'))
    this.#sealer = new Sealer(secret, 'api-key-encryption')
    this.#issuers = new KnownKeys(db, 'api_key')
    this.#companies = new KnownKeys(db, 'api_key')
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

  /** The readable key in force; undefined without one, or when it cannot be opened, as under another SECRET. */
  async reveal(tx: Db | Tx, owner: KeyOwner, kind: KeyKind): Promise<string | undefined> {
    const row = await keysOf(tx, owner)
      .select('key_ciphertext')
      .where('kind', '=', kind)
      .where('expires_at', 'is', null)
      .executeTakeFirst()
    return row && this.#sealer.open(row.key_ciphertext, contextOf(owner, kind))
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
   * The issuer whose systems send with this key, noting its use from a network. Unknown, expired and revoked keys and
   * archived issuers look the same: undefined.
   */
  async findIssuer(
    kind: 'api' | 'postback',
    key: string,
    from: string | null = null,
  ): Promise<KnownIssuer | undefined> {
    if (!isWellFormed(key)) return undefined
    const hash = this.#hash(key)
    const found = await this.#issuers.find(nameOf(kind, hash), from, () => this.#findIssuer(kind, hash))
    if (!found) return undefined
    const { id: _, ...issuer } = found
    return issuer
  }

  async #findIssuer(kind: KeyKind, hash: Buffer) {
    const row = await findIssuerOf(this.#db, kind, hash, this.#sealer.keyId)
    if (!row) return undefined
    const { id, issuerId, signatureRequired, keySigns, secrets } = row
    const context = contextOf({ issuerId }, 'signing')
    const opened = secrets.map((text) => this.#sealer.open(Buffer.from(text, 'base64'), context))
    const signingSecrets = opened.filter((secret) => secret !== undefined).map(signingBytes)
    return { id, issuerId, signatureRequired, keySigns, signingSecrets }
  }

  /** The company that reads with this API key; nobody as above. */
  async findCompany(key: string, from: string | null): Promise<KnownCompany | undefined> {
    if (!isWellFormed(key)) return undefined
    const hash = this.#hash(key)
    return this.#companies.find(nameOf('api', hash), from, () => findCompanyOf(this.#db, hash))
  }

  /** Clears the cache of keys; called when companies changed. */
  clear(): void {
    this.#issuers.clear()
    this.#companies.clear()
  }

  /** To be called before the database connection ends. */
  async settle(): Promise<void> {
    await Promise.all([this.#issuers.settle(), this.#companies.settle()])
  }

  #hash(key: string): Buffer {
    return createHmac('sha256', this.#pepper).update(key).digest()
  }
}

const nameOf = (kind: KeyKind, hash: Buffer): string => `${kind} ${hash.toString('base64')}`

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

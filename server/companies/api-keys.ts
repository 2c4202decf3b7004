import { createCipheriv, createDecipheriv, createHmac, randomBytes, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { deriveKey } from '../auth/tokens.ts'

export type KeyOwner = { issuerId: number } | { affiliateId: number }
export type KeyKind = 'api' | 'postback'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SHAPE = /^(iss|aff|pbt)_[0-9A-Za-z]{4}_[0-9A-Za-z]{42}$/
const PREFIX_LENGTH = 8
const NONCE_LENGTH = 12
const TAG_LENGTH = 16
const TTL = 5_000
const TOUCH_EVERY = 60_000

/** What may be shown of a key to identify it: its type and four characters, which are of no use to guess it. */
export const prefixOf = (key: string): string => key.slice(0, PREFIX_LENGTH)

interface Known {
  id: number
  issuerId: number
}

/**
 * The API keys of companies' systems (security 2.10). They are found by a peppered hash; the readable form is
 * encrypted, because its owner may read it again. The content of the database alone is of no use.
 */
export class ApiKeys {
  readonly #db: Db
  readonly #pepper: Uint8Array
  readonly #kek: Uint8Array
  readonly #kekId: string
  readonly #known = new Map<string, { found: Promise<Known | undefined>; until: number }>()
  readonly #touched = new Map<number, number>()
  readonly #touching = new Set<Promise<void>>()

  constructor(db: Db, secret: string) {
    this.#db = db
    this.#pepper = deriveKey(secret, 'api-key-hash')
    this.#kek = deriveKey(secret, 'api-key-encryption')
    this.#kekId = createHmac('sha256', this.#kek).update('id').digest('hex').slice(0, 8)
  }

  async create(tx: Db | Tx, owner: KeyOwner, kind: KeyKind): Promise<string> {
    const key = newKey(owner, kind)
    const columns = { ...columnsOf(owner), kind, prefix: prefixOf(key), kek_id: this.#kekId }
    await tx
      .insertInto('api_key')
      .values({ ...columns, key_hash: this.#hash(key), key_ciphertext: this.#encrypt(key, contextOf(owner, kind)) })
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
    return row?.kek_id === this.#kekId ? this.#decrypt(row.key_ciphertext, contextOf(owner, kind)) : undefined
  }

  /** The key before stays valid for a day, so that the owner's systems can change one after another. */
  async rotate(tx: Tx, owner: KeyOwner, kind: KeyKind): Promise<string> {
    await tx
      .updateTable('api_key')
      .set({ expires_at: sql<string>`now() + interval '24 hours'` })
      .where(ownedBy(owner))
      .where('kind', '=', kind)
      .where('expires_at', 'is', null)
      .execute()
    return this.create(tx, owner, kind)
  }

  async revokeAll(tx: Tx, owner: KeyOwner): Promise<void> {
    await tx
      .updateTable('api_key')
      .set({ expires_at: sql<string>`now()` })
      .where(ownedBy(owner))
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', eb.fn<string>('now'))]))
      .execute()
  }

  /** Whose key this is. Unknown, expired and revoked keys and archived issuers look the same: undefined. */
  async findIssuer(kind: KeyKind, key: string): Promise<{ issuerId: number } | undefined> {
    if (!isWellFormed(key)) return undefined
    const hash = this.#hash(key)
    const name = `${kind} ${hash.toString('base64')}`
    let known = this.#known.get(name)
    if (!known || known.until <= performance.now()) {
      if (this.#known.size > 10_000) this.#known.clear()
      known = { found: findByHash(this.#db, kind, hash), until: performance.now() + TTL }
      this.#known.set(name, known)
      known.found.catch(() => this.#known.delete(name))
    }
    const found = await known.found
    if (!found) return undefined
    this.#touch(found.id)
    return { issuerId: found.issuerId }
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
  #touch(id: number): void {
    const now = performance.now()
    if (now - (this.#touched.get(id) ?? Number.NEGATIVE_INFINITY) < TOUCH_EVERY) return
    this.#touched.set(id, now)
    const touching = noteUse(this.#db, id)
      .catch((error: Error) => process.emitWarning(`last_used_at: ${error.message}`))
      .finally(() => this.#touching.delete(touching))
    this.#touching.add(touching)
  }

  #hash(key: string): Buffer {
    return createHmac('sha256', this.#pepper).update(key).digest()
  }

  #encrypt(key: string, context: string): Buffer {
    const nonce = randomBytes(NONCE_LENGTH)
    const cipher = createCipheriv('aes-256-gcm', this.#kek, nonce, { authTagLength: TAG_LENGTH }).setAAD(
      Buffer.from(context),
    )
    const text = Buffer.concat([cipher.update(key, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), text])
  }

  #decrypt(stored: Buffer, context: string): string {
    const tagEnd = NONCE_LENGTH + TAG_LENGTH
    const nonce = stored.subarray(0, NONCE_LENGTH)
    const decipher = createDecipheriv('aes-256-gcm', this.#kek, nonce, { authTagLength: TAG_LENGTH })
      .setAAD(Buffer.from(context))
      .setAuthTag(stored.subarray(NONCE_LENGTH, tagEnd))
    return Buffer.concat([decipher.update(stored.subarray(tagEnd)), decipher.final()]).toString('utf8')
  }
}

const typeOf = (owner: KeyOwner, kind: KeyKind): string => {
  if (kind === 'postback') return 'pbt'
  return 'issuerId' in owner ? 'iss' : 'aff'
}

/** 40 random characters of 62 are 238 bits; the checksum lets a mistyped key be refused without a look into the database. */
function newKey(owner: KeyOwner, kind: KeyKind): string {
  const key = `${typeOf(owner, kind)}_${randomText(4)}_${randomText(40)}`
  return key + checksum(key)
}

const randomText = (length: number): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

function checksum(text: string): string {
  const sum = crc32(text) % ALPHABET.length ** 2
  return `${ALPHABET[Math.floor(sum / ALPHABET.length)]}${ALPHABET[sum % ALPHABET.length]}`
}

const isWellFormed = (key: string): boolean => SHAPE.test(key) && checksum(key.slice(0, -2)) === key.slice(-2)

/** Bound into the ciphertext: a row copied to another owner or kind does not decrypt. */
const contextOf = (owner: KeyOwner, kind: KeyKind): string =>
  'issuerId' in owner ? `issuer:${owner.issuerId}:${kind}` : `affiliate:${owner.affiliateId}:${kind}`

const columnsOf = (owner: KeyOwner) =>
  'issuerId' in owner ? { issuer_id: owner.issuerId } : { affiliate_id: owner.affiliateId }

const ownedBy = (owner: KeyOwner) =>
  'issuerId' in owner ? sql<boolean>`issuer_id = ${owner.issuerId}` : sql<boolean>`affiliate_id = ${owner.affiliateId}`

const keysOf = (db: Db | Tx, owner: KeyOwner) => db.selectFrom('api_key').where(ownedBy(owner))

async function findByHash(db: Db, kind: KeyKind, hash: Buffer): Promise<Known | undefined> {
  return db
    .selectFrom('api_key')
    .innerJoin('issuer', 'issuer.id', 'api_key.issuer_id')
    .select(['api_key.id', 'issuer.id as issuerId'])
    .where('api_key.key_hash', '=', hash)
    .where('api_key.kind', '=', kind)
    .where((eb) => eb.or([eb('api_key.expires_at', 'is', null), eb('api_key.expires_at', '>', eb.fn<string>('now'))]))
    .where('issuer.archived_at', 'is', null)
    .executeTakeFirst()
}

/** The condition lets several copies of the server share the minute. */
async function noteUse(db: Db, id: number): Promise<void> {
  await db
    .updateTable('api_key')
    .set({ last_used_at: sql<string>`now()` })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', sql<string>`now() - interval '1 minute'`)]),
    )
    .execute()
}

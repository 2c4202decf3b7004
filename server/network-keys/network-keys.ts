import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { KeyScope } from '#contract/key-scopes.ts'
import type { Db } from '#db/connect.ts'
import { deriveKey } from '../auth/tokens.ts'
import { isWellFormed } from '../companies/key-text.ts'
import { KnownKeys } from '../companies/known-keys.ts'

interface KnownNetworkKey {
  id: number
  name: string
  scope: KeyScope
}

/** Finds the network's keys by a peppered hash, which is all that is kept of them (security 2.10). */
export class NetworkKeys {
  readonly #db: Db
  readonly #pepper: Uint8Array
  readonly #known: KnownKeys<KnownNetworkKey>

  constructor(db: Db, secret: string) {
    this.#db = db
    this.#pepper = deriveKey(secret, 'network-key-hash')
    this.#known = new KnownKeys(db, 'network_key')
  }

  hash(key: string): Buffer {
    return createHmac('sha256', this.#pepper).update(key).digest()
  }

  /** Unknown, expired and revoked keys look the same: undefined. */
  async find(key: string, from: string | null): Promise<KnownNetworkKey | undefined> {
    if (!isWellFormed(key)) return undefined
    const hash = this.hash(key)
    return this.#known.find(hash.toString('base64'), from, () => findByHash(this.#db, hash))
  }

  /** Called when keys changed. */
  clear(): void {
    this.#known.clear()
  }

  /** To be called before the database connection ends. */
  settle(): Promise<void> {
    return this.#known.settle()
  }
}

async function findByHash(db: Db, hash: Buffer): Promise<KnownNetworkKey | undefined> {
  const row = await db
    .selectFrom('network_key')
    .select(['id', 'name', 'scope'])
    .where('key_hash', '=', hash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return row && { ...row, scope: row.scope as KeyScope }
}

import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'

const TTL = 5_000
const TOUCH_EVERY = 60_000

type Table = 'api_key' | 'network_key'

/** What keys were found to be, for some seconds; and that they were used, once a minute. */
export class KnownKeys<Found extends { id: number }> {
  readonly #db: Db
  readonly #table: Table
  readonly #known = new Map<string, { found: Promise<Found | undefined>; until: number }>()
  readonly #touched = new Map<number, number>()
  readonly #touching = new Set<Promise<void>>()

  constructor(db: Db, table: Table) {
    this.#db = db
    this.#table = table
  }

  /** Also what is nobody's is remembered. `from` is the network of the use. */
  async find(name: string, from: string | null, read: () => Promise<Found | undefined>): Promise<Found | undefined> {
    let known = this.#known.get(name)
    if (!known || known.until <= performance.now()) {
      if (this.#known.size > 10_000) this.#known.clear()
      known = { found: read(), until: performance.now() + TTL }
      this.#known.set(name, known)
      known.found.catch(() => this.#known.delete(name))
    }
    const found = await known.found
    if (found) this.#touch(found.id, from)
    return found
  }

  clear(): void {
    this.#known.clear()
  }

  /** Waits for pending writes of last use. */
  async settle(): Promise<void> {
    await Promise.all(this.#touching)
  }

  /** Writes the last use in the background: a lost write costs nothing. */
  #touch(id: number, from: string | null): void {
    const now = performance.now()
    if (now - (this.#touched.get(id) ?? Number.NEGATIVE_INFINITY) < TOUCH_EVERY) return
    this.#touched.set(id, now)
    const touching = noteUse(this.#db, this.#table, id, from)
      .catch((error: Error) => process.emitWarning(`last_used_at: ${error.message}`))
      .finally(() => this.#touching.delete(touching))
    this.#touching.add(touching)
  }
}

/** The condition lets several copies of the server share the minute. */
async function noteUse(db: Db, table: Table, id: number, from: string | null): Promise<void> {
  await sql`update ${sql.table(table)} set last_used_at = now(), last_used_from = ${from}
    where id = ${id} and (last_used_at is null or last_used_at < now() - interval '1 minute')`.execute(db)
}

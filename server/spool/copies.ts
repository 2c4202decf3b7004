import { randomUUID } from 'node:crypto'
import { readlinkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { isOfClick, timeOf } from '#db/lead-ids.ts'
import { codeOf } from '#db/operator-error.ts'
import type { Readiness } from '../readiness.ts'
import { Recurring } from '../recurring.ts'
import type { Spool } from './spool.ts'
import type { SpoolIndex } from './spooled-leads.ts'

const EVERY_MS = 2_000
/** Within this time a click is in the database, in the spool, or was refused. */
const SETTLED_MS = 10_000
/** Clocks of copies may differ by this much; an id from later is forged. */
const AHEAD_MS = 60_000

interface Parts {
  spool: Spool
  db: Db
  readiness: Readiness
  report: (error: unknown) => void
}

/**
 * Our spool, and the notes of the other copies of the server on theirs. For a day, a silent copy may hold any lead
 * clicked after its last note, also when it stopped in order: back again, it takes clicks before it can note anything.
 */
export class Spools implements SpoolIndex {
  readonly #parts: Parts
  readonly #id: string
  readonly #exchanging: Recurring
  /** Leads that others acknowledged before this moment (ms) are in the database. At first nothing is known. */
  #othersClearUntil = Number.NEGATIVE_INFINITY
  /** What PostgreSQL's clock said when we last asked, `at` ms after our start; before that, what ours says. */
  #heard = { at: performance.now(), now: Date.now() }
  #differ = false
  /** What our clock said within the time a click takes: it may be set while a click with an id from before is under way. */
  #readings = [{ at: performance.now() - SETTLED_MS, said: Date.now() - SETTLED_MS }]

  private constructor(parts: Parts) {
    this.#parts = parts
    this.#id = idIn(parts.spool.folder)
    const { readiness, report } = parts
    this.#exchanging = new Recurring({ readiness, run: () => this.#exchange(), pauseMs: EVERY_MS, report })
  }

  /** With a database, resolves after the first exchange with the others. */
  static async open(parts: Parts): Promise<Spools> {
    const spools = new Spools(parts)
    if (parts.readiness.isReady) await spools.#exchanging.tried
    return spools
  }

  has(trackingId: string): boolean {
    return this.#parts.spool.has(trackingId)
  }

  drainedWithin(trackingId: string, milliseconds: number): Promise<boolean> {
    return this.#parts.spool.drainedWithin(trackingId, milliseconds)
  }

  mayBeElsewhere(trackingId: string): boolean {
    const time = timeOf(trackingId)
    const now = this.#heard.now + performance.now() - this.#heard.at
    return isOfClick(trackingId) && time > this.#othersClearUntil && time < now + AHEAD_MS
  }

  close(): Promise<void> {
    return this.#exchanging.close()
  }

  async #exchange(): Promise<number> {
    try {
      await this.#exchangeNotes()
    } catch (error) {
      // Other copies may have started since.
      this.#othersClearUntil = Math.min(this.#othersClearUntil, this.#heard.now - SETTLED_MS)
      throw error
    }
    return EVERY_MS
  }

  /** Stores how far our spool is and reads how far the others are. */
  async #exchangeNotes(): Promise<void> {
    const at = performance.now()
    const clear = new Date(this.#clearUntil(at))
    const { rows } = await sql<{ others: string | null; now: string }>`
      with forgotten as (
        delete from spool_notice where heard_at < now() - interval '1 day' and spool_id <> ${this.#id}
      ), ours as (
        insert into spool_notice (spool_id, clear_until) values (${this.#id}, ${clear})
        on conflict (spool_id) do update set heard_at = now(), clear_until = excluded.clear_until
      )
      select extract(epoch from min(clear_until)) as others, extract(epoch from now()) as now from spool_notice
      where spool_id <> ${this.#id} and heard_at > now() - interval '1 day'`.execute(this.#parts.db)
    const { others = null, now } = rows[0] ?? {}
    this.#othersClearUntil = others === null ? Number.POSITIVE_INFINITY : Number(others) * 1000
    this.#heard = { at, now: Number(now) * 1000 }
    this.#compareClocks()
  }

  /** Once each time that they come to differ: leads get their moment from ours. */
  #compareClocks(): void {
    const seconds = Math.round((Date.now() - this.#heard.now) / 1000)
    const differ = Math.abs(seconds) * 1000 > AHEAD_MS
    if (differ && !this.#differ) this.#parts.report(new Error(`Our clock is ${seconds} s ahead of PostgreSQL's`))
    this.#differ = differ
  }

  /** Before every id of a click under way and of a lead in the spool, also when our clock was set meanwhile. */
  #clearUntil(at: number): number {
    this.#readings.push({ at, said: Date.now() })
    // One from before that time stays, for the clicks that came right at its beginning.
    while ((this.#readings[1]?.at ?? at) < at - SETTLED_MS) this.#readings.shift()
    const { oldest = Number.POSITIVE_INFINITY } = this.#parts.spool
    return Math.min(oldest, ...this.#readings.map(({ said }) => said)) - EVERY_MS
  }
}

/** The spool's id outlives the process, as the records do. A symlink is made atomically, on a full disk, too. */
function idIn(folder: string): string {
  const file = join(folder, 'id')
  try {
    symlinkSync(randomUUID(), file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  return readlinkSync(file)
}

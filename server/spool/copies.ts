import { randomUUID } from 'node:crypto'
import { readlinkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { isOfClick, timeOf } from '#db/lead-ids.ts'
import { codeOf } from '#db/operator-error.ts'
import { Recurring } from '../recurring.ts'
import type { Gate } from '../start/gate.ts'
import type { Spool } from './spool.ts'
import type { SpoolIndex } from './spooled-leads.ts'

const EVERY_MS = 2_000
/** Within this time a click is in the database, in the spool, or was refused. */
const SETTLED_MS = 10_000
/** Clocks of copies may differ by so much; an id from later was forged. */
const AHEAD_MS = 60_000

interface Parts {
  spool: Spool
  db: Db
  gate: Gate
  report: (error: unknown) => void
}

/**
 * Our spool, and what the other copies of the server say of theirs. A copy that has not been heard of may hold every lead
 * whose click came after its last word, for a day; a copy that leaves with an empty spool takes its word along.
 */
export class Spools implements SpoolIndex {
  readonly #parts: Parts
  readonly #id: string
  readonly #exchanging: Recurring
  /** What others acknowledged before this moment, in milliseconds, is in the database. Nothing is known at first. */
  #othersClearUntil = Number.NEGATIVE_INFINITY
  #heardAt = Number.NEGATIVE_INFINITY

  private constructor(parts: Parts) {
    this.#parts = parts
    this.#id = idIn(parts.spool.folder)
    const { gate, report } = parts
    this.#exchanging = new Recurring({ gate, run: () => this.#exchange(), pauseMs: EVERY_MS, report })
  }

  /** With a database, when the others were heard for the first time. */
  static async open(parts: Parts): Promise<Spools> {
    const spools = new Spools(parts)
    if (parts.gate.isOpen) await spools.#exchanging.tried
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
    return isOfClick(trackingId) && time > this.#othersClearUntil && time < Date.now() + AHEAD_MS
  }

  /** When no click is under way any more. */
  close(): Promise<void> {
    return this.#exchanging.close(() => this.#leave())
  }

  async #exchange(): Promise<number> {
    try {
      await this.#tell()
    } catch (error) {
      // Others may have come since.
      this.#othersClearUntil = Math.min(this.#othersClearUntil, this.#heardAt - SETTLED_MS)
      throw error
    }
    return EVERY_MS
  }

  /** Says how far we are and hears how far the others are. */
  async #tell(): Promise<void> {
    const asked = Date.now()
    const clear = new Date(asked - this.#parts.spool.depth.age * 1000 - SETTLED_MS)
    const { rows } = await sql<{ others: string | null }>`
      with forgotten as (
        delete from spool_notice where heard_at < now() - interval '1 day' and spool_id <> ${this.#id}
      ), ours as (
        insert into spool_notice (spool_id, clear_until) values (${this.#id}, ${clear})
        on conflict (spool_id) do update set heard_at = now(), clear_until = excluded.clear_until
      )
      select extract(epoch from min(clear_until)) as others from spool_notice
      where spool_id <> ${this.#id} and heard_at > now() - interval '1 day'`.execute(this.#parts.db)
    const others = rows[0]?.others ?? null
    this.#othersClearUntil = others === null ? Number.POSITIVE_INFINITY : Number(others) * 1000
    this.#heardAt = asked
  }

  async #leave(): Promise<void> {
    if (this.#parts.spool.depth.records) return
    await this.#parts.db.deleteFrom('spool_notice').where('spool_id', '=', this.#id).execute()
  }
}

/** The spool's own, which outlives the process as the records do. A link is there whole or not at all, on a full disk, too. */
function idIn(folder: string): string {
  const file = join(folder, 'id')
  try {
    symlinkSync(randomUUID(), file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  return readlinkSync(file)
}

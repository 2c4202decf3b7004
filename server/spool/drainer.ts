import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { endPool, openPool } from '#db/pool.ts'
import { insertLeads, type LeadRecord } from './lead-rows.ts'
import type { Spool } from './spool.ts'

const BATCH = 500
/** Long enough for a slow database, short enough to notice a dead connection soon. */
const ATTEMPT_MS = 4_000
const CONNECT_MS = 3_000
const PAUSE_MS = 250

interface Parts {
  spool: Spool
  databaseUrl: string
  /** Called when leads have moved from the spool into the database. */
  onStored: (leads: number) => void
  report: (error: unknown, what: string) => void
}

/** Moves the spool's leads into the database, oldest first, retrying for as long as it takes. */
export class Drainer {
  readonly #parts: Parts
  readonly #pool: pg.Pool
  readonly #closing = new AbortController()
  #running: Promise<void> | undefined
  #woken = false
  #failed = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.#pool = openPool(parts.databaseUrl, {
      max: 1,
      role: 'afluente_app',
      applicationName: 'afluente spool',
      statementTimeoutMs: ATTEMPT_MS,
      connectionTimeoutMs: CONNECT_MS,
    })
  }

  /** There is something to drain. */
  wake(): void {
    this.#woken = true
    if (!this.#closing.signal.aborted) this.#running ??= this.#drainAll()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
    await endPool(this.#pool)
  }

  async #drainAll(): Promise<void> {
    const { signal } = this.#closing
    while (this.#woken && !signal.aborted) {
      this.#woken = false
      try {
        while (!signal.aborted && (await this.#drainNext())) this.#failed = false
      } catch (error) {
        this.#woken = true
        // Once per outage: further attempts fail alike.
        if (!this.#failed) this.#parts.report(error, 'spool: the database does not take the leads yet')
        this.#failed = true
        await wait(PAUSE_MS, undefined, { signal }).catch(() => undefined) // closing: the loop ends
      }
    }
    this.#running = undefined
  }

  async #drainNext(): Promise<boolean> {
    const { spool, onStored } = this.#parts
    const drain = await spool.next(BATCH)
    if (!drain) return false
    if (drain.leads.length) await this.#store(drain.leads)
    await spool.release(drain)
    onStored(drain.leads.length)
    return true
  }

  async #store(leads: LeadRecord[]): Promise<void> {
    try {
      await insertLeads(this.#pool, leads, ATTEMPT_MS + 1_000)
    } catch (error) {
      if (!isRefusal(error)) throw error
      const [first, second] = leads
      if (first && !second) return this.#putAside(first, error)
      const half = Math.ceil(leads.length / 2)
      await this.#store(leads.slice(0, half))
      await this.#store(leads.slice(half))
    }
  }

  /** Acknowledged but not storable: saved for a person to examine, so that the others go on. */
  async #putAside(lead: LeadRecord, error: unknown): Promise<void> {
    const file = join(this.#parts.spool.folder, 'refused.jsonl')
    this.#parts.report(error, `spool: lead ${lead.tracking_id} refused, kept in ${file}`)
    this.#parts.spool.refused += 1
    await appendFile(file, `${JSON.stringify(lead)}\n`, { mode: 0o600, flush: true })
  }
}

/** The row itself cannot be stored, now or ever (SQLSTATE classes 22 and 23); other errors may pass. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^2[23]...$/.test(String(error.code))

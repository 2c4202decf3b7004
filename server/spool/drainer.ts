import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { PRESENT_HISTORY } from '#db/history.ts'
import { endPool, openPool } from '#db/pool.ts'
import { refusesValues } from '../http/errors.ts'
import { appendLeads, readLeads, replaceLeads } from './lead-lines.ts'
import { insertLeads, type LeadRecord } from './lead-rows.ts'
import type { Spool } from './spool.ts'

const BATCH = 500
/** Long enough for a slow database, short enough to notice a dead connection soon. */
const ATTEMPT_MS = 4_000
const CONNECT_MS = 3_000
const PAUSE_MS = 250
const REST_MS_MAX = 30_000

interface Parts {
  spool: Spool
  databaseUrl: string
  /** Called when leads have moved from the spool into the database. */
  onStored: (leads: number) => void
  report: (error: unknown, what: string) => void
  /** The first rest while nothing but refused leads is left. */
  restMs?: number
}

/** Moves the spool's leads into the database, oldest first, retrying for as long as it takes. */
export class Drainer {
  readonly #parts: Parts
  readonly #pool: pg.Pool
  readonly #closing = new AbortController()
  #rest = new AbortController()
  #restMs: number
  #running: Promise<void> | undefined
  #woken = false
  #failed = false
  #refusedRetried = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.#restMs = this.#firstRestMs
    this.#pool = openPool(parts.databaseUrl, {
      max: 1,
      role: 'afluente_app',
      applicationName: 'afluente spool',
      statementTimeoutMs: ATTEMPT_MS,
      connectionTimeoutMs: CONNECT_MS,
    })
  }

  get #firstRestMs(): number {
    return this.#parts.restMs ?? PAUSE_MS
  }

  /** There is something to drain. */
  wake(): void {
    this.#woken = true
    this.#rest.abort()
    if (!this.#closing.signal.aborted) this.#running ??= this.#drainAll()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#rest.abort()
    await this.#running
    await endPool(this.#pool)
  }

  async #drainAll(): Promise<void> {
    const { signal } = this.#closing
    while (this.#woken && !signal.aborted) {
      this.#woken = false
      try {
        while (!signal.aborted && (await this.#drainNext())) {
          this.#failed = false
          this.#restMs = this.#firstRestMs
        }
        await this.#retryRefused()
      } catch (error) {
        // Once per outage: further attempts fail alike.
        if (!this.#failed) this.#parts.report(error, 'spool: the database does not take the leads yet')
        this.#failed = true
        await wait(PAUSE_MS, undefined, { signal }).catch(() => undefined) // closing: the loop ends
        if (refusesValues(error)) await this.#restAlone()
        this.#woken = true
      }
    }
    this.#running = undefined
  }

  /** Whether leads are bad or the database is, the next good lead shows; until it comes, they are tried less and less. */
  async #restAlone(): Promise<void> {
    if (this.#woken || this.#closing.signal.aborted) return
    this.#rest = new AbortController()
    await wait(this.#restMs, undefined, { signal: this.#rest.signal }).catch(() => undefined) // another lead, or closing
    this.#restMs = Math.min(2 * this.#restMs, REST_MS_MAX)
  }

  async #drainNext(): Promise<boolean> {
    const { spool, onStored } = this.#parts
    const drain = await spool.next(BATCH)
    if (!drain) return false
    await this.#expectSameHistory()
    const refused = await this.#store(drain.leads)
    // A fault of the database can look like a fault of every lead; one that others do not share is the lead's own.
    if (refused.length && refused.length === drain.leads.length) throw refused[0]?.error
    for (const each of refused) await this.#setAside(each)
    await spool.release(drain)
    onStored(drain.leads.length)
    return true
  }

  /** A server that is not stopped while its database is put back keeps its leads until it starts again. */
  async #expectSameHistory(): Promise<void> {
    const { spool } = this.#parts
    if (spool.history === undefined) return
    const { rows } = await this.#pool.query<{ id: string }>(PRESENT_HISTORY)
    spool.historyChanged = rows[0]?.id !== spool.history
    if (spool.historyChanged) throw new Error('The database was restored under a running server: start it again')
  }

  /** Returns those that the database cannot take. */
  async #store(leads: LeadRecord[]): Promise<Refused[]> {
    if (!leads.length) return []
    try {
      await insertLeads(this.#pool, leads, ATTEMPT_MS + 1_000)
      return []
    } catch (error) {
      if (!refusesValues(error)) throw error
      const [first, second] = leads
      if (first && !second) return [{ lead: first, error }]
      const half = Math.ceil(leads.length / 2)
      return [...(await this.#store(leads.slice(0, half))), ...(await this.#store(leads.slice(half)))]
    }
  }

  /** Acknowledged but not storable: saved for a person to examine, so that the others go on. */
  async #setAside({ lead, error }: Refused): Promise<void> {
    const { spool, report } = this.#parts
    report(error, `spool: lead ${lead.tracking_id} refused, kept in ${spool.refusedFile}`)
    spool.refused += 1
    await appendLeads(spool.refusedFile, [lead])
    spool.setAside([lead])
  }

  /** Once after each start: what was set aside may have been a fault of the database or of an older version. */
  async #retryRefused(): Promise<void> {
    if (this.#refusedRetried) return
    const { spool } = this.#parts
    const leads = await readLeads(spool.refusedFile)
    const left: LeadRecord[] = []
    for (let from = 0; from < leads.length; from += BATCH) {
      const refused = await this.#store(leads.slice(from, from + BATCH))
      left.push(...refused.map(({ lead }) => lead))
    }
    this.#refusedRetried = true
    spool.refused = left.length
    if (left.length < leads.length) await replaceLeads(spool.refusedFile, left)
  }
}

interface Refused {
  lead: LeadRecord
  error: unknown
}

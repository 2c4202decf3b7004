import type { Measures } from '../monitoring/measures.ts'
import type { Readiness } from '../readiness.ts'
import { Drainer } from './drainer.ts'
import { GroupCommit, type Limits } from './group-commit.ts'
import type { LeadRecord } from './lead-rows.ts'
import type { Spool } from './spool.ts'

interface Parts {
  spool: Spool
  databaseUrl: string
  limits: Partial<Limits>
  /** Until ready, the spool takes every lead. */
  readiness: Readiness
  measures: Measures
  report: (error: unknown, what: string) => void
}

/** The one place where a click becomes durable: in the database, else in the spool, else not at all. */
export class LeadStore {
  readonly #spool: Spool
  readonly #leads: GroupCommit
  readonly #drainer: Drainer
  readonly #readiness: Readiness
  /** From the first click that timed out until the database stores a lead again. */
  #away: boolean

  constructor({ spool, databaseUrl, limits, readiness, measures, report }: Parts) {
    const onStored = (leads: number, seconds: number) => {
      this.#away = false
      measures.committed(leads, seconds)
    }
    const onDrained = (leads: number) => {
      this.#away = false
      measures.drained(leads)
    }
    const late = (lead: LeadRecord) => {
      this.#away = true
      return spool.append(lead)
    }
    this.#spool = spool
    this.#readiness = readiness
    this.#away = !readiness.isReady
    const onRefused = (why: string) => report(why, 'clicks: PostgreSQL refuses COPY, INSERT takes its place')
    this.#leads = new GroupCommit(databaseUrl, limits, { late, onStored, onRefused })
    this.#drainer = new Drainer({ spool, databaseUrl, onStored: onDrained, report })
    spool.onRecord = (records) => {
      measures.clicks('spooled', records)
      if (readiness.isReady) this.#drainer.wake()
    }
    readiness.whenReady(() => {
      this.#away = false
      this.#drainer.wake()
    })
  }

  /** Resolves when the lead is durable; rejects with a 503 when that is not certain. */
  store(lead: LeadRecord): Promise<void> {
    return this.#away ? this.#storeWhileAway(lead) : this.#leads.store(lead)
  }

  async #storeWhileAway(lead: LeadRecord): Promise<void> {
    try {
      await this.#spool.append(lead)
    } catch (error) {
      // When the spool fails, only trying shows whether the database is back.
      if (!this.#readiness.isReady) throw error
      await this.#leads.store(lead)
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#leads.close(), this.#drainer.close()])
    await this.#spool.close()
  }
}

import { Drainer } from './drainer.ts'
import { GroupCommit, type Limits } from './group-commit.ts'
import type { LeadRecord } from './lead-rows.ts'
import type { Spool } from './spool.ts'

interface Parts {
  spool: Spool
  databaseUrl: string
  limits: Partial<Limits>
  report: (error: unknown, what: string) => void
}

/** The one place where a click becomes durable: in the database, else in the spool, else not at all. */
export class LeadStore {
  readonly #spool: Spool
  readonly #leads: GroupCommit
  readonly #drainer: Drainer
  /** Since a click waited in vain, until the database has taken a lead again. */
  #away = false

  constructor({ spool, databaseUrl, limits, report }: Parts) {
    const onStored = () => {
      this.#away = false
    }
    const late = (lead: LeadRecord) => {
      this.#away = true
      return spool.append(lead)
    }
    this.#spool = spool
    this.#leads = new GroupCommit(databaseUrl, limits, { late, onStored })
    this.#drainer = new Drainer({ spool, databaseUrl, onStored, report })
    spool.onRecord = () => this.#drainer.wake()
    this.#drainer.wake()
  }

  /** Settles when the lead is on a disk for good; rejects with a 503 when it is not known to be. */
  store(lead: LeadRecord): Promise<void> {
    // With a spool that fails, only trying shows whether the database is back.
    return this.#away ? this.#spool.append(lead).catch(() => this.#leads.store(lead)) : this.#leads.store(lead)
  }

  async close(): Promise<void> {
    await Promise.all([this.#leads.close(), this.#drainer.close()])
    await this.#spool.close()
  }
}

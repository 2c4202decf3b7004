import { join } from 'node:path'
import type pg from 'pg'
import { type Listener, listen } from '#db/listen.ts'
import { isDatabaseAway } from '../http/errors.ts'
import type { Gate } from '../start/gate.ts'
import { Soon } from './soon.ts'
import { Targets } from './targets.ts'
import { readTargets, writeTargets } from './targets-file.ts'

interface Parts {
  pool: pg.Pool
  databaseUrl: string
  /** Where the copy is; of this process alone. */
  folder: string
  gate: Gate
  report: (error: unknown, what: string) => void
}

const PAUSE_MS = 1_000
const RETRY_MS = 5_000

/**
 * Targets that outlive the process: the live ones are copied to a file soon after they change, and a process that
 * starts without a database serves those. A change asks again for all of them, so that the copy is no older than the
 * last change that this server heard of, whether anybody follows the link or not.
 */
export class LastingTargets {
  readonly targets: Targets
  readonly #parts: Parts
  readonly #file: string
  readonly #saving: Soon
  readonly #refreshing: Soon
  readonly #changes: Listener
  readonly #failing = new Set<string>()
  #closed = false

  private constructor(parts: Parts, file: string) {
    this.#parts = parts
    this.#file = file
    this.targets = new Targets(parts.pool, { gate: parts.gate, onChange: () => this.#saving.ask() })
    this.#saving = new Soon(() => this.#save(), PAUSE_MS)
    this.#refreshing = new Soon(() => this.#refresh(), PAUSE_MS)
    const forget = () => {
      this.targets.clear()
      if (parts.gate.isOpen) this.#refreshing.ask()
    }
    this.#changes = listen(parts.databaseUrl, 'link_change', forget, forget)
  }

  static async open(parts: Parts): Promise<LastingTargets> {
    const file = join(parts.folder, 'targets.jsonl')
    const copy = await readTargets(file).catch((error) => {
      parts.report(error, 'the copy of the link targets cannot be read')
      return []
    })
    const lasting = new LastingTargets(parts, file)
    lasting.targets.adopt(copy)
    if (parts.gate.isOpen) await lasting.#changes.connected
    parts.gate.whenOpen(() => lasting.#refreshing.ask())
    return lasting
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#changes.close()
    await this.#refreshing.close()
    await this.#saving.close()
  }

  #save(): Promise<void> {
    const write = () => writeTargets(this.#file, this.targets.live)
    return this.#attempt('the copy of the link targets was not written', write, this.#saving)
  }

  #refresh(): Promise<void> {
    return this.#attempt('the link targets were not read again', () => this.targets.refresh(), this.#refreshing)
  }

  async #attempt(what: string, run: () => Promise<void>, again: Soon): Promise<void> {
    try {
      await run()
      this.#failing.delete(what)
    } catch (error) {
      // Once for each outage, and that the database is away is said by others.
      if (!this.#failing.has(what) && !isDatabaseAway(error)) this.#parts.report(error, what)
      this.#failing.add(what)
      if (!this.#closed) again.ask(RETRY_MS)
    }
  }
}

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { type Listener, listen } from '#db/listen.ts'
import { isDatabaseAway } from '../http/errors.ts'
import type { Readiness } from '../readiness.ts'
import { CoalescedTask } from './coalesced-task.ts'
import { Targets } from './targets.ts'
import { readTargets, writeTargets } from './targets-file.ts'

interface Parts {
  pool: pg.Pool
  databaseUrl: string
  /** Folder of the copy; used by this process alone. */
  folder: string
  readiness: Readiness
  report: (error: unknown, what: string) => void
  refreshMs?: number
}

const PAUSE_MS = 1_000
const RETRY_MS = 5_000
/** Half of what a target is served: clicks of thousands of links that were read together do not wait for each of them. */
const REFRESH_MS = 30_000

/**
 * Targets that outlive the process: live ones are copied to a file soon after they change, and a process that starts
 * without a database serves the copy. Every notified change reads all cached targets again, so the copy is current even
 * for links that nobody follows.
 */
export class LastingTargets {
  readonly targets: Targets
  readonly #parts: Parts
  readonly #file: string
  readonly #saving: CoalescedTask
  readonly #refreshing: CoalescedTask
  readonly #changes: Listener
  readonly #again: NodeJS.Timeout
  readonly #failing = new Set<string>()
  #closed = false

  private constructor(parts: Parts, file: string) {
    this.#parts = parts
    this.#file = file
    this.targets = new Targets(parts.pool, { readiness: parts.readiness, onChange: () => this.#saving.request() })
    this.#saving = new CoalescedTask(() => this.#save(), PAUSE_MS)
    this.#refreshing = new CoalescedTask(() => this.#refresh(), PAUSE_MS)
    const refresh = () => parts.readiness.isReady && this.#refreshing.request()
    const forget = () => {
      this.targets.clear()
      refresh()
    }
    this.#changes = listen(parts.databaseUrl, 'link_change', forget, forget)
    this.#again = setInterval(refresh, parts.refreshMs ?? REFRESH_MS).unref()
  }

  static async open(parts: Parts): Promise<LastingTargets> {
    const file = join(parts.folder, 'targets.jsonl')
    const copy = await readTargets(file).catch((error) => {
      parts.report(error, 'the copy of the link targets cannot be read')
      return []
    })
    const lasting = new LastingTargets(parts, file)
    lasting.targets.adopt(copy)
    if (parts.readiness.isReady) await lasting.#changes.connected
    parts.readiness.whenReady(() => lasting.#refreshing.request())
    return lasting
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#again)
    await this.#changes.close()
    await this.#refreshing.close()
    await this.#saving.close()
  }

  /** Neither this process nor a later one serves what is known now. */
  forget(): Promise<void> {
    this.targets.forget()
    return rm(this.#file, { force: true })
  }

  #save(): Promise<void> {
    const write = () => writeTargets(this.#file, this.targets.live)
    return this.#attempt('the copy of the link targets was not written', write, this.#saving)
  }

  #refresh(): Promise<void> {
    return this.#attempt('the link targets were not read again', () => this.targets.refresh(), this.#refreshing)
  }

  async #attempt(what: string, run: () => Promise<void>, again: CoalescedTask): Promise<void> {
    try {
      await run()
      this.#failing.delete(what)
    } catch (error) {
      // Once per outage; a lost database is reported elsewhere.
      if (!this.#failing.has(what) && !isDatabaseAway(error)) this.#parts.report(error, what)
      this.#failing.add(what)
      if (!this.#closed) again.request(RETRY_MS)
    }
  }
}

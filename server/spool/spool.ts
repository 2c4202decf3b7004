import { join } from 'node:path'
import { holdFolder } from '#db/folder-lock.ts'
import { timeOf } from '#db/lead-ids.ts'
import { unavailable } from '../http/errors.ts'
import { recordOf, sizeOf, takeGroup, type Waiting } from './group.ts'
import type { LeadRecord } from './lead-rows.ts'
import { RECORD_LIMIT } from './record.ts'
import type { Segment } from './segment.ts'
import { Segments } from './segments.ts'
import { SpooledIds } from './spooled-ids.ts'

/** Records read together, to be released when they are in the database. */
interface Drain {
  segment: Segment
  leads: LeadRecord[]
  to: number
}

/** Why the next click could not be written: no room left, or the disk fails. */
export type Fault = 'full' | 'disk'
export type Report = (error: unknown, what: string) => void
type Needs = { unlock: () => void; report: Report }

/** Clicks that may wait for the disk, and how long. */
const QUEUE = 10_000
const PATIENCE_MS = 2_000
const RETRY_MS = 5_000

const idOf = (json: string): string => (JSON.parse(json) as LeadRecord).tracking_id

/**
 * Clicks that the database did not store in time, on our disk until it does. Clicks that arrive while the disk is busy
 * share its next flush. The ids of all records and of leads set aside are in memory.
 */
export class Spool {
  readonly folder: string
  readonly #segments: Segments
  readonly #ids: SpooledIds
  /** Of leads set aside for a person: acknowledged, and in the database only when that person has let them in. */
  readonly #aside = new Set<string>()
  readonly #megabytes: number
  readonly #unlock: () => void
  readonly #report: Report
  #waiting: Waiting[] = []
  /** Being written now. */
  #group: Waiting[] = []
  #flushing: Promise<void> | undefined
  #allocating: Promise<void>
  readonly #firstTried = Promise.withResolvers<void>()
  #retry: NodeJS.Timeout | undefined
  #broken = false
  /** Called with the number of new records to drain. */
  onRecord: (records: number) => void = () => undefined
  /** Records that the disk did not give back since the start. */
  lost = 0
  /** Records set aside: the database refuses their values. */
  refused = 0
  /** Of the database that takes our leads; undefined until it is known. */
  history: string | undefined
  /** Whether the database has another one since, which only a new start can sort out. */
  historyChanged = false

  private constructor(folder: string, parts: { segments: Segments; ids: SpooledIds; megabytes: number } & Needs) {
    this.folder = folder
    this.#segments = parts.segments
    this.#ids = parts.ids
    this.#megabytes = parts.megabytes
    this.#unlock = parts.unlock
    this.#report = parts.report
    this.#allocating = this.#allocate()
  }

  /** Locks the folder for this process and reads the records of an earlier one. */
  static async open(dataDir: string, megabytes: number, report: Report): Promise<Spool> {
    const folder = join(dataDir, 'spool')
    const unlock = holdFolder(folder, 'spool.lock')
    const found: string[] = []
    const segments = await Segments.open(folder, { found: (json) => found.push(idOf(json)), report }).catch((error) => {
      unlock()
      throw error
    })
    // Ids begin with the time; `depth` needs the oldest first.
    const spool = new Spool(folder, { segments, ids: new SpooledIds(found.sort()), megabytes, unlock, report })
    await spool.#firstTried.promise
    return spool
  }

  /** Resolves when the lead is flushed to the disk; rejects with a 503 when that is not certain. */
  append(lead: LeadRecord): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting: Waiting = { ...recordOf(lead), resolve, reject }
    if (this.#waiting.length >= QUEUE || waiting.bytes > RECORD_LIMIT) return Promise.reject(unavailable())
    this.#ids.add(waiting.id)
    this.#waiting.push(waiting)
    this.#flushing ??= this.#flush()
    return promise
  }

  has(trackingId: string): boolean {
    return this.#ids.has(trackingId) || this.#aside.has(trackingId)
  }

  /** Whether the record reached the database within that time. */
  async drainedWithin(trackingId: string, milliseconds: number): Promise<boolean> {
    // Asked afterwards: it may be set aside meanwhile.
    return (await this.#ids.drainedWithin(trackingId, milliseconds)) && !this.#aside.has(trackingId)
  }

  /** Events that name them are to be sent again, until a person has decided. */
  setAside(leads: LeadRecord[]): void {
    for (const { tracking_id } of leads) this.#aside.add(tracking_id)
  }

  /** Leads whose values the database refuses. */
  get refusedFile(): string {
    return join(this.folder, 'refused.jsonl')
  }

  get fault(): Fault | undefined {
    if (this.#broken) return 'disk'
    return this.#segments.hasRoom(RECORD_LIMIT) ? undefined : 'full'
  }

  /** Sectors of the disk that cannot be read. */
  get unreadable(): number {
    return this.#segments.unreadable
  }

  /** No lead that waits was clicked before this moment (ms); undefined when none waits. */
  get oldest(): number | undefined {
    const { least } = this.#ids
    return least === undefined ? undefined : timeOf(least)
  }

  /** What waits, and the age of the oldest in seconds. */
  get depth(): { records: number; bytes: number; capacity: number; age: number } {
    const oldest = this.#ids.first
    const made = oldest ? timeOf(oldest) : Date.now()
    return {
      ...this.#segments.depth,
      records: this.#ids.size,
      age: Math.max(0, Date.now() - made) / 1000,
    }
  }

  /** Resolves when no record is on its way to the disk. */
  get flushed(): Promise<void> {
    return this.#flushing ?? Promise.resolve()
  }

  /** The oldest waiting records; undefined when there are none. */
  async next(limit: number): Promise<Drain | undefined> {
    const segment = this.#segments.oldest
    if (!segment) {
      this.#forgetLost()
      return undefined
    }
    const { jsons, to } = await segment.read(limit)
    return { segment, leads: jsons.map((json) => JSON.parse(json)), to }
  }

  /** Frees records that are in the database. */
  async release({ segment, leads, to }: Drain): Promise<void> {
    await segment.release(to).catch((error) => this.#report(error, 'spool: position not noted'))
    this.#ids.drained(leads.map(({ tracking_id }) => tracking_id))
  }

  /** What is in no segment and not on its way into one was damaged on the disk. */
  #forgetLost(): void {
    if (!this.#ids.size || this.#flushing) return
    const left = this.#ids.clear()
    this.lost += left
    this.#report(new Error('The disk did not give them back'), `spool: ${left} leads lost`)
  }

  async close(): Promise<void> {
    clearTimeout(this.#retry)
    await this.#flushing
    await this.#allocating
    clearTimeout(this.#retry)
    await this.#segments.close()
    this.#unlock()
  }

  async #flush(): Promise<void> {
    // After the pending input, so that requests read in one turn of the event loop share a flush.
    await new Promise(setImmediate)
    const stuck = setInterval(() => this.#giveUp(), PATIENCE_MS)
    while (this.#waiting.length) {
      this.#group = takeGroup(this.#waiting)
      try {
        await this.#write(this.#group)
        for (const { resolve } of this.#group) resolve()
        this.onRecord(this.#group.length)
      } catch (error) {
        this.#report(error, 'spool: not written')
        this.#refuse(this.#group)
      }
      stuck.refresh()
    }
    clearInterval(stuck)
    // In the same turn as the last look at the queue, so that nothing is left in it.
    this.#flushing = undefined
  }

  #refuse(group: Waiting[]): void {
    for (const { id, reject } of group) {
      this.#ids.delete(id)
      reject(unavailable())
    }
  }

  /** A hanging disk must not hold up visitors. The group being written may still arrive, so its ids stay. */
  #giveUp(): void {
    this.#broken = true
    for (const { reject } of this.#group) reject(unavailable())
    this.#refuse(this.#waiting.splice(0))
  }

  async #write(group: Waiting[]): Promise<void> {
    const bytes = sizeOf(group)
    if (!this.#segments.hasRoom(bytes)) throw new Error('The spool is full')
    try {
      const jsons = group.map(({ json }) => json)
      await this.#segments.append(jsons, bytes)
      this.#broken = false
    } catch (error) {
      this.#broken = true
      throw error
    }
  }

  /** All but the first segment get their space in the background. */
  async #allocate(): Promise<void> {
    try {
      await this.#segments.allocate(this.#megabytes, this.#firstTried.resolve)
      this.#broken = false
    } catch (error) {
      this.#broken = true
      this.#report(error, 'spool: no space taken')
      this.#retry = setTimeout(() => {
        this.#allocating = this.#allocate()
      }, RETRY_MS).unref()
    } finally {
      this.#firstTried.resolve()
    }
  }
}

import { join } from 'node:path'
import { holdFolder } from '#db/folder-lock.ts'
import { timeOf } from '#db/lead-ids.ts'
import { unavailable } from '../http/errors.ts'
import { recordOf, sizeOf, takeGroup, type Waiting } from './group.ts'
import type { LeadRecord } from './lead-rows.ts'
import { RECORD_LIMIT } from './record.ts'
import { DATA_AT, Segment } from './segment.ts'

/** Records read together, to be released when they are in the database. */
interface Drain {
  segment: Segment
  leads: LeadRecord[]
  to: number
}

/** Why the next click could not be written: no room left, or the disk fails. */
export type Fault = 'full' | 'disk'
type Report = (error: unknown, what: string) => void
type Needs = { unlock: () => void; report: Report }

const SEGMENTS = 4
const MEGABYTE = 1_048_576
/** Clicks that may wait for the disk, and how long. */
const QUEUE = 10_000
const PATIENCE_MS = 2_000
const RETRY_MS = 5_000

const idOf = (json: string): string => (JSON.parse(json) as LeadRecord).tracking_id

/**
 * Clicks that the database did not store in time, on our disk until it does. Clicks that arrive while the disk is busy
 * share its next flush. Every record's id is in memory, so the size of the spool bounds the memory.
 */
export class Spool {
  readonly folder: string
  readonly #segments: Segment[]
  readonly #ids: Set<string>
  readonly #size: number
  readonly #unlock: () => void
  readonly #report: Report
  #current: Segment | undefined
  #waiting: Waiting[] = []
  /** Being written now. */
  #group: Waiting[] = []
  #flushing: Promise<void> | undefined
  #allocating: Promise<void>
  readonly #firstTried = Promise.withResolvers<void>()
  #retry: NodeJS.Timeout | undefined
  #broken = false
  #drained = Promise.withResolvers<void>()
  /** Called with the number of new records to drain. */
  onRecord: (records: number) => void = () => undefined
  /** Records that the database refused since the start. */
  refused = 0

  private constructor(folder: string, parts: { segments: Segment[]; ids: Set<string>; size: number } & Needs) {
    this.folder = folder
    this.#segments = parts.segments
    this.#ids = parts.ids
    this.#size = parts.size
    this.#unlock = parts.unlock
    this.#report = parts.report
    // A process that crashes repeatedly must not use up a segment each time.
    this.#current = parts.segments.find(({ generation }) => generation > 0 && generation === this.#lastGeneration())
    this.#allocating = this.#allocate()
  }

  /** Locks the folder for this process and reads the records of an earlier one. */
  static async open(dataDir: string, megabytes: number, report: Report): Promise<Spool> {
    const folder = join(dataDir, 'spool')
    const unlock = holdFolder(folder, 'spool.lock')
    const [segments, found]: [Segment[], string[]] = [[], []]
    try {
      for (let index = 0; index < SEGMENTS; index += 1)
        segments.push(await Segment.open(join(folder, `segment-${index}`), (json) => found.push(idOf(json))))
    } catch (error) {
      unlock()
      throw error
    }
    // Ids begin with the time; `depth` needs the oldest first.
    const ids = new Set(found.sort())
    const spool = new Spool(folder, {
      segments,
      ids,
      size: Math.floor((megabytes * MEGABYTE) / SEGMENTS),
      unlock,
      report,
    })
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
    return this.#ids.has(trackingId)
  }

  /** Whether the record reached the database within that time. */
  async drainedWithin(trackingId: string, milliseconds: number): Promise<boolean> {
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, milliseconds)
    const end = Date.now() + milliseconds
    while (this.#ids.has(trackingId) && Date.now() < end) await Promise.race([this.#drained.promise, late.promise])
    clearTimeout(timer)
    return !this.#ids.has(trackingId)
  }

  get fault(): Fault | undefined {
    if (this.#broken) return 'disk'
    return this.#roomFor(RECORD_LIMIT).length ? undefined : 'full'
  }

  /** What waits, and the age of the oldest in seconds. */
  get depth(): { records: number; bytes: number; capacity: number; age: number } {
    const [oldest] = this.#ids
    const made = oldest ? timeOf(oldest) : Date.now()
    return {
      records: this.#ids.size,
      bytes: this.#segments.reduce((sum, { drained, end }) => sum + end - drained, 0),
      capacity: this.#segments.reduce((sum, { size }) => sum + size, 0),
      age: Math.max(0, Date.now() - made) / 1000,
    }
  }

  /** The oldest waiting records; undefined when there are none. */
  async next(limit: number): Promise<Drain | undefined> {
    const [segment] = this.#segments.filter(({ empty }) => !empty).sort((a, b) => a.generation - b.generation)
    if (!segment) return undefined
    const { jsons, to } = await segment.read(limit)
    return { segment, leads: jsons.map((json) => JSON.parse(json)), to }
  }

  /** Frees records that are in the database. */
  async release({ segment, leads, to }: Drain): Promise<void> {
    await segment.release(to).catch((error) => this.#report(error, 'spool: position not noted'))
    for (const { tracking_id } of leads) this.#ids.delete(tracking_id)
    this.#drained.resolve()
    this.#drained = Promise.withResolvers()
  }

  async close(): Promise<void> {
    clearTimeout(this.#retry)
    await this.#flushing
    await this.#allocating
    clearTimeout(this.#retry)
    for (const segment of this.#segments) await segment.close()
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
    const jsons = group.map(({ json }) => json)
    const bytes = sizeOf(group)
    const places = this.#roomFor(bytes)
    if (!places.length) throw new Error('The spool is full')
    let failure: unknown
    for (const place of places) {
      try {
        if (place !== this.#current || !place.hasRoom(bytes)) await place.begin(this.#lastGeneration() + 1)
        this.#current = place
        await place.append(jsons)
        this.#broken = false
        return
      } catch (error) {
        failure = error
      }
    }
    this.#broken = true
    throw failure
  }

  #lastGeneration(): number {
    return Math.max(...this.#segments.map(({ generation }) => generation))
  }

  /** Segments with room, in order of preference: the current one, drained ones, drained ones that failed. */
  #roomFor(bytes: number): Segment[] {
    const current = this.#current?.hasRoom(bytes) ? [this.#current] : []
    const drained = this.#segments
      .filter((segment) => segment.empty && segment !== current[0] && DATA_AT + bytes <= segment.size)
      .sort((a, b) => Number(a.closed) - Number(b.closed))
    return [...current, ...drained]
  }

  /** The first segment is enough to begin with; the others get their space in the background. */
  async #allocate(): Promise<void> {
    try {
      for (const segment of this.#segments) {
        await segment.allocate(this.#size)
        this.#firstTried.resolve()
      }
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

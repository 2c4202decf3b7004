import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { codeOf } from '#db/operator-error.ts'
import { decodeRecord, encodeRecord, linesOf, RECORD_LIMIT } from './record.ts'

/** The number of the use and the replayed position have sectors of their own: a torn write spoils nothing else. */
const NUMBER_AT = 0
const POSITION_AT = 512
export const DATA_AT = 4096
const PIECE = 1_048_576
/** What a disk reads or fails to read at once. */
const SECTOR = 4096
/** More uses than a segment has in years. */
const USES = 100_000

export interface Finds {
  /** Gets every record that still waits. */
  found: (json: string) => void
  report: (error: unknown, what: string) => void
}

/** Between `drained` and `end` lie records that are on the disk and not yet known to be in the database. */
export class Segment {
  readonly #file: FileHandle
  readonly #path: string
  readonly #report: Finds['report']
  readonly #unreadable = new Set<number>()
  /** Bytes allocated; nothing is written past them. */
  size = 0
  /** 0: never used. */
  generation = 0
  drained = DATA_AT
  end = DATA_AT
  /** After a failed write the content of the disk is unknown, so nothing is appended to it. */
  closed = false

  private constructor(file: FileHandle, path: string, report: Finds['report']) {
    this.#file = file
    this.#path = path
    this.#report = report
  }

  /** Opens the file as the last process left it. */
  static async open(path: string, { found, report }: Finds): Promise<Segment> {
    const segment = new Segment(await open(path, constants.O_RDWR | constants.O_CREAT, 0o600), path, report)
    segment.size = (await segment.#file.stat()).size
    segment.generation = Number(await segment.#readNote(NUMBER_AT, 0)) || 0
    if (segment.#unreadable.has(0)) segment.generation = await segment.#findGeneration()
    if (segment.generation) await segment.#recover(found)
    return segment
  }

  /** Sectors that the disk could not read. */
  get unreadable(): number {
    return this.#unreadable.size
  }

  get empty(): boolean {
    return this.drained === this.end
  }

  hasRoom(bytes: number): boolean {
    return !this.closed && this.end + bytes <= this.size
  }

  /** Takes the space now; on file systems that write in place a full disk cannot stop us later. */
  async allocate(size: number): Promise<void> {
    if (this.size >= size) return
    // Linux tells each open file once that a write was lost; `append` must not miss it because we were told.
    const file = await open(this.#path, constants.O_WRONLY)
    try {
      const zeros = Buffer.alloc(PIECE)
      let end = this.size
      while (end < size) end += (await file.write(zeros, 0, Math.min(PIECE, size - end), end)).bytesWritten
      await file.sync()
      this.size = end
    } finally {
      await file.close()
    }
  }

  /** Begins another use; records of earlier ones become invalid. A disk can repair a sector that is written whole. */
  async begin(generation: number): Promise<void> {
    const head = Buffer.alloc(DATA_AT)
    head.write(encodeRecord(String(generation), 0), NUMBER_AT)
    await this.#file.write(head, 0, head.length, 0)
    this.#unreadable.clear()
    Object.assign(this, { generation, drained: DATA_AT, end: DATA_AT, closed: false })
  }

  /** Returns when the records are flushed to the disk. */
  async append(jsons: string[]): Promise<void> {
    const data = Buffer.from(jsons.map((json) => encodeRecord(json, this.generation)).join(''))
    try {
      for (let done = 0; done < data.length; ) {
        const { bytesWritten } = await this.#file.write(data, done, data.length - done, this.end + done)
        done += bytesWritten
      }
      await this.#file.datasync()
    } catch (error) {
      this.closed = true
      throw error
    }
    this.end += data.length
  }

  /** The next waiting records, up to `limit`, and where they end. */
  async read(limit: number): Promise<{ jsons: string[]; to: number }> {
    const piece = await this.#readPiece(this.drained, Math.min(this.end, this.drained + PIECE))
    const jsons: string[] = []
    let to = this.drained
    for (const { line, end } of linesOf(piece)) {
      const json = decodeRecord(line, this.generation)
      if (json !== undefined) jsons.push(json)
      to = this.drained + end
      if (jsons.length === limit) break
    }
    if (to === this.drained) to = piece.length ? this.drained + piece.length : this.end
    return { jsons, to }
  }

  /**
   * Called once the records are in the database. Not flushed: a lost position only repeats inserts that change nothing,
   * while a flush would be told of a lost record in place of its `append`.
   */
  async release(to: number): Promise<void> {
    this.drained = to
    await this.#file.write(encodeRecord(String(to), this.generation), POSITION_AT)
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  /** When the sector with the number cannot be read: the number with which the first record is whole. */
  async #findGeneration(): Promise<number> {
    const [first] = linesOf(await this.#readPiece(DATA_AT, DATA_AT + RECORD_LIMIT))
    for (let number = 1; first && number <= USES; number += 1)
      if (decodeRecord(first.line, number) !== undefined) return number
    return 0
  }

  /** Records after a damaged one are still good; a whole piece without any is the end. */
  async #recover(found: (json: string) => void): Promise<void> {
    const position = Number(await this.#readNote(POSITION_AT, this.generation)) || DATA_AT
    this.drained = this.end = position
    for (let at = position, seen = true; seen && at < this.size; ) {
      const piece = await this.#readPiece(at, Math.min(this.size, at + PIECE))
      let next = 0
      seen = false
      for (const { line, end } of linesOf(piece)) {
        next = end
        const json = decodeRecord(line, this.generation)
        if (json === undefined) continue
        seen = true
        this.end = at + end
        found(json)
      }
      at += Math.max(next, piece.length - RECORD_LIMIT, 1)
    }
  }

  /** What the disk cannot read becomes zeros, which belong to no record. */
  async #readPiece(from: number, to: number): Promise<Buffer> {
    const piece = Buffer.alloc(to - from)
    let length = 0
    while (length < piece.length) {
      const bytes = await this.#read(piece.subarray(length), from + length)
      if (bytes === 0) break
      length += bytes
    }
    return piece.subarray(0, length)
  }

  /** How many bytes were read, or skipped because they cannot be. */
  async #read(into: Buffer, at: number): Promise<number> {
    const sector = Math.floor(at / SECTOR)
    try {
      if (!this.#unreadable.has(sector)) return (await this.#file.read(into, 0, into.length, at)).bytesRead
    } catch (error) {
      if (codeOf(error) !== 'EIO') throw error
      this.#unreadable.add(sector)
      this.#report(error, `spool: ${basename(this.#path)} cannot be read at byte ${at}, its leads are lost`)
    }
    return Math.min(into.length, (sector + 1) * SECTOR - at)
  }

  async #readNote(at: number, generation: number): Promise<string | undefined> {
    const [first] = linesOf(await this.#readPiece(at, at + 64))
    return first && decodeRecord(first.line, generation)
  }
}

import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { decodeRecord, encodeRecord, linesOf, RECORD_LIMIT } from './record.ts'

/** The number of the use and the replayed position have sectors of their own: a torn write spoils nothing else. */
const NUMBER_AT = 0
const POSITION_AT = 512
export const DATA_AT = 4096
const PIECE = 1_048_576

/** Between `drained` and `end` lie records that are on the disk and not yet known to be in the database. */
export class Segment {
  readonly #file: FileHandle
  /** Bytes allocated; nothing is written past them. */
  size = 0
  /** 0: never used. */
  generation = 0
  drained = DATA_AT
  end = DATA_AT
  /** After a failed write the content of the disk is unknown, so nothing is appended to it. */
  closed = false

  private constructor(file: FileHandle) {
    this.#file = file
  }

  /** Opens the file as the last process left it; `found` gets every record that still waits. */
  static async open(path: string, found: (json: string) => void): Promise<Segment> {
    const segment = new Segment(await open(path, constants.O_RDWR | constants.O_CREAT, 0o600))
    segment.size = (await segment.#file.stat()).size
    segment.generation = Number(await segment.#readNote(NUMBER_AT, 0)) || 0
    if (segment.generation) await segment.#recover(found)
    return segment
  }

  get empty(): boolean {
    return this.drained === this.end
  }

  hasRoom(bytes: number): boolean {
    return !this.closed && this.end + bytes <= this.size
  }

  /** Allocates the space now, so that a full disk cannot stop us later. */
  async allocate(size: number): Promise<void> {
    const zeros = Buffer.alloc(this.size < size ? PIECE : 0)
    while (this.size < size) {
      const { bytesWritten } = await this.#file.write(zeros, 0, Math.min(PIECE, size - this.size), this.size)
      this.size += bytesWritten
      if (this.size >= size) await this.#file.sync()
    }
  }

  /** Begins another use; records of earlier ones become invalid. */
  async begin(generation: number): Promise<void> {
    await this.#writeNote(NUMBER_AT, generation, 0)
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

  /** Called once the records are in the database: a lost position only repeats inserts that change nothing. */
  async release(to: number): Promise<void> {
    this.drained = to
    await this.#writeNote(POSITION_AT, to, this.generation)
    await this.#file.datasync()
  }

  close(): Promise<void> {
    return this.#file.close()
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

  async #readPiece(from: number, to: number): Promise<Buffer> {
    const piece = Buffer.allocUnsafe(to - from)
    let length = 0
    while (length < piece.length) {
      const { bytesRead } = await this.#file.read(piece, length, piece.length - length, from + length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return piece.subarray(0, length)
  }

  async #readNote(at: number, generation: number): Promise<string | undefined> {
    const [first] = linesOf(await this.#readPiece(at, at + 64))
    return first && decodeRecord(first.line, generation)
  }

  async #writeNote(at: number, value: number, generation: number): Promise<void> {
    await this.#file.write(encodeRecord(String(value), generation), at)
  }
}

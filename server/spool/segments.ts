import { join } from 'node:path'
import { DATA_AT, type Finds, Segment } from './segment.ts'

const COUNT = 4

/** The files of the spool: one is appended to, the oldest with records is drained. */
export class Segments {
  readonly #all: Segment[]
  #current: Segment | undefined

  private constructor(all: Segment[]) {
    this.#all = all
    // A process that crashes repeatedly must not use up a segment each time.
    this.#current = all.find(({ generation }) => generation > 0 && generation === this.#lastGeneration)
  }

  static async open(folder: string, finds: Finds): Promise<Segments> {
    const all: Segment[] = []
    for (let index = 0; index < COUNT; index += 1) all.push(await Segment.open(join(folder, `segment-${index}`), finds))
    return new Segments(all)
  }

  /** The one whose records are the oldest; undefined when there are none. */
  get oldest(): Segment | undefined {
    const [oldest] = this.#all.filter(({ empty }) => !empty).sort((a, b) => a.generation - b.generation)
    return oldest
  }

  get depth(): { bytes: number; capacity: number } {
    return {
      bytes: this.#all.reduce((sum, { drained, end }) => sum + end - drained, 0),
      capacity: this.#all.reduce((sum, { size }) => sum + size, 0),
    }
  }

  get unreadable(): number {
    return this.#all.reduce((sum, { unreadable }) => sum + unreadable, 0)
  }

  hasRoom(bytes: number): boolean {
    return this.#placesFor(bytes).length > 0
  }

  /** Returns when the records are flushed, for which there must be room; where one segment fails, the next takes them. */
  async append(jsons: string[], bytes: number): Promise<void> {
    let failure: unknown
    for (const place of this.#placesFor(bytes)) {
      try {
        if (place !== this.#current || !place.hasRoom(bytes)) await place.begin(this.#lastGeneration + 1)
        this.#current = place
        return await place.append(jsons)
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  /** The first segment is enough to begin with: `taken` is called after each. */
  async allocate(megabytes: number, taken: () => void): Promise<void> {
    for (const segment of this.#all) {
      await segment.allocate(Math.floor((megabytes * 1_048_576) / COUNT))
      taken()
    }
  }

  async close(): Promise<void> {
    for (const segment of this.#all) await segment.close()
  }

  get #lastGeneration(): number {
    return Math.max(...this.#all.map(({ generation }) => generation))
  }

  /** Segments with room, in order of preference: the current one, drained ones, drained ones that failed. */
  #placesFor(bytes: number): Segment[] {
    const current = this.#current?.hasRoom(bytes) ? [this.#current] : []
    const drained = this.#all
      .filter((segment) => segment.empty && segment !== current[0] && DATA_AT + bytes <= segment.size)
      .sort((a, b) => Number(a.closed) - Number(b.closed))
    return [...current, ...drained]
  }
}

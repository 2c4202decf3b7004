import { readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

export type Kind = 'click' | 'event'

/** An attempt before it is sent, and its outcome. */
export type Entry =
  | { what: 'attempt'; kind: Kind; id: string }
  | {
      what: 'answer'
      kind: Kind
      id: string
      /** 302, …, or why there is none: refused, reset, closed, timeout. */
      outcome: string
      /** Of an acknowledged click, from its Location. */
      trackingId?: string
    }

/** Entries within this time share a flush. */
const TOGETHER_MS = 20

/** Everything the client knows, flushed to its own disk; only this is compared with the database. */
export class Journal {
  readonly path: string
  readonly #file: FileHandle
  #pending: string[] = []
  #written = Promise.withResolvers<void>()
  #flushing: Promise<void> | undefined

  private constructor(path: string, file: FileHandle) {
    this.path = path
    this.#file = file
  }

  static async open(path: string): Promise<Journal> {
    return new Journal(path, await open(path, 'a'))
  }

  /** Settles when the entries are on the disk. */
  write(entries: Entry[]): Promise<void> {
    this.#pending.push(...entries.map((entry) => `${JSON.stringify(entry)}\n`))
    this.#flushing ??= this.#flush()
    return this.#written.promise
  }

  async close(): Promise<void> {
    await this.#flushing
    await this.#file.close()
  }

  async #flush(): Promise<void> {
    while (this.#pending.length) {
      await wait(TOGETHER_MS)
      const [text, { resolve, reject }] = [this.#pending.splice(0).join(''), this.#written]
      this.#written = Promise.withResolvers()
      await this.#file
        .appendFile(text)
        .then(() => this.#file.datasync())
        .then(resolve, reject)
    }
    this.#flushing = undefined
  }
}

export const readJournal = (path: string): Entry[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Entry)

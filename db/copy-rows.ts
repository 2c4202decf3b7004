import type pg from 'pg'

/** What the driver has of a connection beyond its published types; pg-copy-streams rests on some of it, too. */
interface Wire extends pg.Connection {
  sendCopyFromChunk: (chunk: Buffer) => void
  endCopyFrom: () => void
}

/**
 * COPY with rows that are all there already, sent with its text instead of after PostgreSQL's invitation: one round trip.
 * Should it refuse the text, it passes over the rows. A connection that ends before the last byte leaves nothing behind.
 */
class CopyRows implements pg.Submittable {
  readonly #text: string
  readonly #rows: string
  readonly query_timeout: number
  /** The driver puts its own here. */
  callback: ((error: Error | null) => void) | undefined

  constructor(text: string, rows: string, timeoutMs: number) {
    this.#text = text
    this.#rows = rows
    this.query_timeout = timeoutMs
  }

  submit(connection: pg.Connection): void {
    const wire = connection as Wire
    wire.stream.cork()
    wire.query(this.#text)
    wire.sendCopyFromChunk(Buffer.from(this.#rows))
    wire.endCopyFrom()
    wire.stream.uncork()
  }

  handleCopyInResponse(): void {}

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.callback?.(error)
  }

  handleReadyForQuery(): void {
    this.callback?.(null)
  }
}

/** `text` is `copy ... from stdin`; `rows` are its lines. Settles after the COMMIT. */
export function copyRows(pool: pg.Pool, text: string, rows: string, timeoutMs: number): Promise<unknown> {
  const copy: unknown = new CopyRows(text, rows, timeoutMs)
  return pool.query(copy as pg.QueryConfig)
}

const SPECIAL = /[\\\t\n\r]/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** A field of PostgreSQL's text format, where a backslash stands before what would end it. */
export const escapeField = (text: string): string =>
  SPECIAL.test(text) ? text.replace(/[\\\t\n\r]/g, (letter) => ESCAPES[letter] ?? '') : text

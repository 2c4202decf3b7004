import type pg from 'pg'

/** Members of the driver's connection beyond its published types; pg-copy-streams uses some of them, too. */
interface Wire extends pg.Connection {
  sendCopyFromChunk: (chunk: Buffer) => void
  endCopyFrom: () => void
}

/**
 * COPY whose rows are sent with its text, without waiting for PostgreSQL's CopyInResponse: one round trip. When it
 * refuses the text, it ignores the rows. A connection that ends before the last byte stores nothing.
 */
class CopyRows implements pg.Submittable {
  readonly #text: string
  readonly #rows: string
  readonly query_timeout: number
  /** Set by the driver. */
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

/** A field of PostgreSQL's text format: special characters are escaped with a backslash. */
export const escapeField = (text: string): string =>
  SPECIAL.test(text) ? text.replace(/[\\\t\n\r]/g, (letter) => ESCAPES[letter] ?? '') : text

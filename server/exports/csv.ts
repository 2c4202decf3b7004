import { dayFirst } from '#contract/time.ts'
import { type Column, inMexico, type Kind } from './cells.ts'

/** Without it Excel reads UTF-8 as the old code page of the machine. */
const BOM = '\uFEFF'

/** RFC 4180, some rows a chunk. */
export async function* csvOf<Row>(
  columns: readonly Column<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield BOM + lineOf(columns.map(({ head }) => csvCell('text', head)))
  for await (const rows of batches)
    yield rows.map((row) => lineOf(columns.map(({ kind, value }) => csvCell(kind, value(row))))).join('')
}

const lineOf = (cells: string[]): string => `${cells.join(',')}\r\n`

export function csvCell(kind: Kind, value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === '') return ''
  switch (kind) {
    case 'number':
    case 'money':
      return String(value)
    case 'day':
      return dayFirst(String(value))
    case 'moment':
      return dayFirst(inMexico(String(value)))
    case 'text':
      return quoted(harmless(String(value)))
  }
}

/**
 * Spreadsheets run what begins like this; an apostrophe makes it text (security 2.7). The wide forms count as well, and
 * so does what follows a semicolon, tab or line break: where that parts cells, our quotes stand inside of one.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?="*[=+\-@\t\r\0\uFF1D\uFF0B\uFF0D\uFF20])/g
const harmless = (value: string): string => value.replace(FORMULA, "'")

const quoted = (value: string): string => (/[",;\t\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

import { type Column, dayFirst, inMexico, type Kind } from './cells.ts'

/** Without it Excel reads UTF-8 as the old code page of the machine. */
const BOM = '\uFEFF'

/** RFC 4180, some rows a chunk. */
export async function* csvOf<Row>(
  columns: readonly Column<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield BOM + lineOf(columns.map(({ head }) => quoted(head)))
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

/** Spreadsheets run what begins like this; an apostrophe makes it text (security 2.7). The wide forms count as well. */
const FORMULA = /^[=+\-@\t\r\0\uFF1D\uFF0B\uFF0D\uFF20]/
const harmless = (value: string): string => (FORMULA.test(value) ? `'${value}` : value)

/** The semicolon and the tab too: in some locales they separate cells, and the next cell may begin like a formula. */
const quoted = (value: string): string => (/[",;\t\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

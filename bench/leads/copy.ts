import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from } from 'pg-copy-streams'

type Row = Record<string, unknown>

/** So many rows are turned into text between two looks at whether PostgreSQL wants more. */
const BATCH = 500

/** Puts rows that share their columns into a table, ids included. */
export async function copyInto(client: pg.ClientBase, table: string, rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first).map((column) => pg.escapeIdentifier(column))
  const stream = client.query(from(`copy ${pg.escapeIdentifier(table)} (${columns.join(', ')}) from stdin`))
  await pipeline(Readable.from(texts(rows)), stream)
}

function* texts(rows: readonly Row[]) {
  for (let start = 0; start < rows.length; start += BATCH) {
    const lines = rows.slice(start, start + BATCH).map((row) => Object.values(row).map(fieldOf).join('\t'))
    yield `${lines.join('\n')}\n`
  }
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** PostgreSQL's text format: a backslash before what would end a field. */
function fieldOf(value: unknown): string {
  if (value === null || value === undefined) return '\\N'
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (letter) => ESCAPES[letter] as string) : text
}

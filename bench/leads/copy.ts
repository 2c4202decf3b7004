import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from } from 'pg-copy-streams'
import { escapeField } from '#db/copy-rows.ts'

type Row = Record<string, unknown>

/** Rows turned into text between two checks of whether PostgreSQL accepts more. */
const BATCH = 200
/** Bytes that may wait for PostgreSQL, so that it is never idle during other work. */
const AHEAD = 2 ** 20

/** Copies a row of `rowOf` per item into a table, ids included; all rows have the same columns. */
export async function copyInto<Item>(
  client: pg.ClientBase,
  table: string,
  items: readonly Item[],
  rowOf: (item: Item) => Row,
): Promise<void> {
  const [item] = items
  if (item === undefined) return
  const first = rowOf(item)
  const columns = Object.keys(first).map((column) => pg.escapeIdentifier(column))
  const text = `copy ${pg.escapeIdentifier(table)} (${columns.join(', ')}) from stdin`
  const stream = client.query(from(text, { highWaterMark: AHEAD }))
  await pipeline(Readable.from(texts(first, items, rowOf)), stream)
}

function* texts<Item>(first: Row, items: readonly Item[], rowOf: (item: Item) => Row) {
  yield lineOf(first)
  for (let start = 1; start < items.length; start += BATCH)
    yield items
      .slice(start, start + BATCH)
      .map((item) => lineOf(rowOf(item)))
      .join('')
}

const lineOf = (row: Row): string => `${Object.values(row).map(fieldOf).join('\t')}\n`

function fieldOf(value: unknown): string {
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'number') return String(value)
  return escapeField(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

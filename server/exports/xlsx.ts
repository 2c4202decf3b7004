import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { writeXlsxStream } from 'hucre/xlsx'
import { type Column, inMexico, type Kind } from './cells.ts'

const formats: Record<Kind, string | undefined> = {
  text: undefined,
  number: undefined,
  money: '#,##0.00',
  day: 'dd/mm/yyyy',
  moment: 'dd/mm/yyyy hh:mm',
}
const widths: Record<Kind, number> = { text: 24, number: 10, money: 16, day: 12, moment: 17 }

const WIDEST_HEAD = 26

/** What a cell of a sheet can hold. */
const TEXT_LIMIT = 32_767

/** A sheet written while its rows are read; past a million rows it continues in a second sheet. */
export function xlsxOf<Row>(
  name: string,
  columns: readonly Column<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): Readable {
  const sheet = writeXlsxStream(rowsOf(columns, batches), {
    name,
    columns: columns.map(({ head, kind }) => ({
      header: head,
      width: Math.max(widths[kind], Math.min(head.length + 2, WIDEST_HEAD)),
      ...(formats[kind] && { numFmt: formats[kind] }),
    })),
    freezePane: { rows: 1 },
  })
  return Readable.fromWeb(sheet as ReadableStream<Uint8Array>)
}

type Cell = string | number | Date | null

async function* rowsOf<Row>(
  columns: readonly Column<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Cell[]> {
  for await (const rows of batches)
    for (const row of rows) yield columns.map(({ kind, value }) => xlsxCell(kind, value(row)))
}

/**
 * Text stays text whatever it begins with: its cells have that type. Numbers of a sheet have 15 digits and its dates no
 * time zone, so ours fit: amounts have 14 digits, and moments are in the time of Mexico City.
 */
export function xlsxCell(kind: Kind, value: string | number | null | undefined): Cell {
  if (value === null || value === undefined || value === '') return null
  switch (kind) {
    case 'number':
    case 'money':
      return Number(value)
    case 'day':
      return new Date(`${value}T00:00Z`)
    case 'moment':
      return new Date(`${inMexico(String(value)).replace(' ', 'T')}Z`)
    case 'text':
      return String(value).slice(0, TEXT_LIMIT)
  }
}

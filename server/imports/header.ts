import { CELL_MAX, COLUMNS_MAX, ROW_MAX } from '#contract/import-mapping.ts'
import { badFile } from './bad-file.ts'
import type { FileRow } from './csv.ts'

const NAME_MAX = 100

/** The names of the columns, from the first row that holds anything. */
export function headerOf({ cells }: FileRow): string[] {
  const last = cells.findLastIndex((cell) => cell !== '')
  if (last >= COLUMNS_MAX) throw badFile(`El archivo tiene más de ${COLUMNS_MAX} columnas`)
  const names = cells.slice(0, last + 1).map((cell, index) => nameOf(cell) || `Columna ${index + 1}`)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice) throw badFile(`La columna «${twice}» está dos veces en el encabezado`)
  return names
}

const nameOf = (cell: string): string => [...cell.replace(/\s+/g, ' ')].slice(0, NAME_MAX).join('')

export const isBlank = ({ cells }: FileRow): boolean => cells.every((cell) => cell === '')

/** Before anything is done with its texts, and after: what stands for something masked may be longer. */
export function expectShort({ row_no, cells }: FileRow, header: readonly string[]): void {
  const long = cells.findIndex((cell) => cell.length > CELL_MAX)
  const name = header[long] ?? `Columna ${long + 1}`
  if (long >= 0) throw badFile(`La celda «${name}» del renglón ${row_no} pasa de 4,000 caracteres`)
  if (cells.reduce((sum, cell) => sum + cell.length, 0) > ROW_MAX)
    throw badFile(`Las celdas del renglón ${row_no} pasan de 32,000 caracteres en total`)
}

/** A row with a cell for each column. */
export function fitted({ row_no, cells }: FileRow, header: readonly string[]): FileRow {
  const extra = cells.findIndex((cell, index) => index >= header.length && cell !== '')
  if (extra >= 0) throw badFile(`El renglón ${row_no} tiene más celdas que el encabezado. Revisa sus comillas y comas.`)
  expectShort({ row_no, cells }, header)
  return { row_no, cells: header.map((_, index) => cells[index] ?? '') }
}

/** Files put together from several hold their header again. */
export const isHeaderAgain = ({ cells }: FileRow, header: readonly string[]): boolean =>
  header.every((name, index) => nameOf(cells[index] ?? '') === name)

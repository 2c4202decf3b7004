import { cleanText } from '#contract/fields.ts'
import { CELL_MAX, COLUMNS_MAX } from '#contract/import-mapping.ts'

/**
 * No more of a row than what it is refused for: a sheet may repeat a text of megabytes in each of 16,384 columns. Of what is
 * behind the last column one cell is left.
 */
export function bounded(cells: readonly string[]): string[] {
  const kept = cells.map((cell) => cell.trim().slice(0, CELL_MAX + 1))
  const last = kept.findLastIndex((cell) => cleanText(cell).trim() !== '')
  return [...kept.slice(0, COLUMNS_MAX), ...(last < COLUMNS_MAX ? [] : kept.slice(last, last + 1))]
}

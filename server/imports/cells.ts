import { cleanText } from '#contract/fields.ts'

/** What our exports, and those of others, put before a text so that no spreadsheet runs it (exports/csv.ts). */
const GUARD = /(?<=^|[;\t\r\n])'(?="*[=+\-@\t\r\0\uFF1D\uFF0B\uFF0D\uFF20])/g
/** How programs keep the zeros of a number: as a formula that is a text. */
const FORMULA = /^=\s*"((?:[^"]|"")*)"$/
/** Other quotes than those of CSV, around the whole of a cell. */
const WRAPPED = [/^'([^']*)'$/, /^“([^“”]*)”$/, /^"([^"]*)"$/]

/** A cell as it was meant: without what exports add to it. */
export function meantBy(text: string): string {
  const cell = cleanText(text).trim()
  const [, inner] = FORMULA.exec(cell) ?? []
  if (inner !== undefined) return inner.replaceAll('""', '"').trim()
  const wrapped = WRAPPED.map((quotes) => quotes.exec(cell)?.[1]).find((bare) => bare !== undefined)
  return wrapped?.trim() ?? cell.replace(GUARD, '')
}

const ID = /[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/i
const NUMBER = /^[\s$+-]*[\d.,/:%\s-]*\d[\d.,/:%\s-]*(MXN)?$/i
const MOMENT = /^\d{4}-\d\d-\d\dT/
const ADDRESS = /^[^\s@]+@[^\s@]+\.\w+$/
const CODE = /^\S*\d{3}\S*$/

/** Whether a cell is what a row says, and no name of a column: an id, a number, a date, an address. */
export const looksLikeData = (cell: string): boolean =>
  [ID, NUMBER, MOMENT, ADDRESS, CODE].some((pattern) => pattern.test(meantBy(cell)))

export const isId = (cell: string): boolean => ID.test(cell)

/** What became of a lead; names of columns may be the same words, but do not come again below. */
const STATUS = /^(aprobad|autorizad|rechazad|declinad|negad|denegad|cancelad|entregad|activad|pendiente)/i
export const isStatus = (cell: string): boolean => STATUS.test(meantBy(cell))

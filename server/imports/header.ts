import { CELL_MAX, COLUMNS_MAX, ROW_MAX } from '#contract/import-mapping.ts'
import { badFile } from './bad-file.ts'
import { isId, isStatus, looksLikeData, meantBy } from './cells.ts'
import type { FileRow } from './csv.ts'

const NAME_MAX = 100
/** Of the columns that a table has, a header names at least so many. */
const NAMED = 0.6

/** Where the table of a file begins. */
export interface Table {
  /** The names of its columns, each once. */
  header: string[]
  /** The row of its header, or the first of two; 0: it has none. */
  header_row: number
  /** The last row that is no lead's. */
  last_row: number
  /** As the header is written, to know it where it comes again. */
  written: string[]
}

export interface TopOptions {
  /** The row that a person chose; 0: none is the header. */
  chosen?: number | undefined
  /** The headers of files before, which are known again. */
  known: readonly (readonly string[])[]
  /** A sheet has columns without a name; in a CSV a cell too many is one that was parted by mistake. */
  isSheet: boolean
}

/** The table in the first rows of a file, of which none is blank. */
export function tableIn(rows: readonly FileRow[], options: TopOptions): Table {
  const at = options.chosen === undefined ? findHeader(rows, options) : rowChosen(rows, options.chosen)
  return at < 0 ? withoutHeader(rows) : tableAt(rows, at, options.isSheet)
}

function rowChosen(rows: readonly FileRow[], chosen: number): number {
  if (chosen === 0) return -1
  const at = rows.findIndex(({ row_no }) => row_no === chosen)
  if (at < 0) throw badFile(`El renglón ${chosen}, que elegiste como encabezado, está vacío`)
  return at
}

const isFilled = (cell: string | undefined): boolean => cell !== undefined && cell !== ''
const count = ({ cells }: FileRow, is: (cell: string) => boolean): number =>
  cells.filter((cell) => isFilled(cell) && is(cell)).length
const filledIn = (row: FileRow): number => count(row, () => true)
const widthOf = ({ cells }: FileRow): number => cells.findLastIndex(isFilled) + 1

/** The first row that names most columns and says nothing of a lead; -1: none. */
function findHeader(rows: readonly FileRow[], { known, isSheet }: TopOptions): number {
  const headers = new Set(known.map((names) => JSON.stringify(names)))
  const again = headers.size
    ? rows.findIndex((row, at) => widthOf(row) <= COLUMNS_MAX && headers.has(namesOf(rows, at, isSheet)))
    : -1
  if (again >= 0) return again
  const columns = Math.max(0, ...rows.map(filledIn))
  const wide = rows.filter((row) => filledIn(row) >= Math.max(Math.min(2, columns), NAMED * columns))
  const said = wide.map((row) => dataIn(row, rows))
  const [first = 0, ...others] = said
  const last = said.lastIndexOf(0)
  const isFirst = first === 0 || (others.length > 0 && first < Math.min(...others))
  const at = rows.indexOf(wide[isBelowTitles(wide, last) ? last : isFirst ? 0 : -1] as FileRow)
  // Nobody's lead is taken for a title.
  return rows.slice(0, Math.max(0, at)).some((row) => count(row, isId) > 0) ? -1 : at
}

/** Whether all above the last row that says nothing of a lead is narrower, as 'Corte: 28/11/2026' is, and leads are below. */
const isBelowTitles = (wide: readonly FileRow[], at: number): boolean =>
  at > 0 && at < wide.length - 1 && wide.slice(0, at).every((row) => filledIn(row) < filledIn(wide[at] as FileRow))

const namesOf = (rows: readonly FileRow[], at: number, isSheet: boolean) =>
  JSON.stringify(tableAt(rows, at, isSheet).header)

/** How many cells of a row say something of a lead. */
function dataIn(row: FileRow, rows: readonly FileRow[]): number {
  const others = rows.filter((other) => other !== row)
  const comesAgain = (cell: string, column: number) => others.some(({ cells }) => cells[column] === cell)
  return row.cells.filter((cell, column) => looksLikeData(cell) || (isStatus(cell) && comesAgain(cell, column))).length
}

function withoutHeader(rows: readonly FileRow[]): Table {
  const width = Math.max(0, ...rows.map(widthOf))
  expectColumns(width)
  return { header: uniqueNames(Array(width).fill('')), header_row: 0, last_row: 0, written: [] }
}

function tableAt(rows: readonly FileRow[], at: number, isSheet: boolean): Table {
  const [row, under, ...rest] = rows.slice(at) as [FileRow, FileRow?, ...FileRow[]]
  const isPair = under !== undefined && completes(row, under, rest)
  const below = isPair ? rest : rows.slice(at + 1)
  const width = columnsOf(isPair ? [row, under] : [row], below, isSheet)
  expectColumns(width)
  const names = Array.from({ length: width }, (_, column) => nameIn(row, isPair ? under : undefined, column))
  const last_row = isPair ? under.row_no : row.row_no
  return {
    header: uniqueNames(names),
    header_row: row.row_no,
    last_row,
    written: row.cells.slice(0, width).map(nameOf),
  }
}

function expectColumns(width: number): void {
  if (width > COLUMNS_MAX) throw badFile(`El archivo tiene más de ${COLUMNS_MAX} columnas`)
}

/** Columns that the header leaves without a name at its end count where rows fill them. */
function columnsOf(header: readonly FileRow[], below: readonly FileRow[], isSheet: boolean): number {
  const named = Math.max(...header.map(widthOf))
  const wider = below.filter((row) => widthOf(row) > named && widthOf(row) <= COLUMNS_MAX)
  const filled = Math.max(named, ...wider.map(widthOf))
  if (isSheet) return wider.length > 1 && wider.length * 2 > below.length ? filled : named
  return Math.max(named, Math.min(filled, ...header.map(({ cells }) => cells.length)))
}

/** Whether the second row goes on with the first: it names columns that the first leaves blank, and not the first column. */
function completes(row: FileRow, under: FileRow, below: readonly FileRow[]): boolean {
  const first = row.cells.findIndex(isFilled)
  const next = below[0]
  return (
    !isFilled(under.cells[first]) &&
    dataIn(under, below) === 0 &&
    under.cells.some((cell, column) => isFilled(cell) && !isFilled(row.cells[column])) &&
    next !== undefined &&
    isFilled(next.cells[first]) &&
    dataIn(next, below) > 0
  )
}

/** Of two rows the upper names groups of columns: 'Montos Aprobado'. */
function nameIn(row: FileRow, under: FileRow | undefined, column: number): string {
  const lower = nameOf(under?.cells[column] ?? '')
  if (!lower) return nameOf(row.cells[column] ?? '')
  const group = row.cells.slice(0, column + 1).findLast(isFilled) ?? ''
  return nameOf(`${nameOf(group)} ${lower}`)
}

const nameOf = (cell: string): string => [...meantBy(cell).replace(/\s+/g, ' ')].slice(0, NAME_MAX).join('').trim()

/** 'Columna 3' for none; 'Fecha (2)' for one that is there already. */
function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name, index) => {
    const wanted = name || `Columna ${index + 1}`
    let own = wanted
    for (let times = 2; taken.has(own); times += 1) own = `${wanted} (${times})`
    taken.add(own)
    return own
  })
}

export const isBlank = ({ cells }: FileRow): boolean => cells.every((cell) => cell === '')

/** Before anything is done with its texts, and after: what stands for something masked may be longer. */
export function expectShort({ row_no, cells }: FileRow, header: readonly string[]): void {
  const long = cells.findIndex((cell) => cell.length > CELL_MAX)
  const name = header[long] ?? `Columna ${long + 1}`
  if (long >= 0) throw badFile(`La celda «${name}» del renglón ${row_no} pasa de 4,000 caracteres`)
  if (cells.reduce((sum, cell) => sum + cell.length, 0) > ROW_MAX)
    throw badFile(`Las celdas del renglón ${row_no} pasan de 32,000 caracteres en total`)
}

const PARTS: Record<string, string> = { ',': 'una coma', ';': 'un punto y coma', '\t': 'un tabulador' }

/** A row with a cell for each column. */
export function fitted({ row_no, cells }: FileRow, header: readonly string[], delimiter: string | null): FileRow {
  const extra = cells.findIndex((cell, index) => index >= header.length && cell !== '')
  if (extra >= 0)
    throw badFile(`El renglón ${row_no} tiene más celdas que el encabezado. ${adviceOn(cells, delimiter)}`)
  expectShort({ row_no, cells }, header)
  return { row_no, cells: header.map((_, index) => cells[index] ?? '') }
}

function adviceOn(cells: readonly string[], delimiter: string | null): string {
  if (delimiter === null) return 'Ponle nombre a cada columna, o borra lo que sobra.'
  if (cells.some((cell) => cell.includes('"'))) return 'Revisa sus comillas y comas.'
  return `Revisa si alguno de sus textos lleva ${PARTS[delimiter] ?? `«${delimiter}»`}, que separa las celdas.`
}

/** Files put together from several hold their header again. */
export const isHeaderAgain = ({ cells }: FileRow, { written, header_row }: Table): boolean =>
  header_row > 0 && written.every((name, index) => nameOf(cells[index] ?? '') === name)

import { pipeline, Readable } from 'node:stream'
import { CsvError, type Parser, parse } from 'csv-parse'
import { ROW_MAX } from '#contract/import-mapping.ts'
import { badFile } from './bad-file.ts'
import { bounded } from './bounded.ts'
import { readHead, rest } from './read-head.ts'

/** A row with its number, as a spreadsheet counts, and its cells, bounded(). */
export interface FileRow {
  row_no: number
  cells: string[]
}

export interface ReadFile {
  /** Known once every row is read. */
  charset: () => string | null
  /** What parts the cells of a CSV. */
  delimiter: string | null
  rows: AsyncIterable<FileRow>
}

/** Enough to see how a file is written. */
const HEAD_BYTES = 64 * 1024
/** A letter has up to three in UTF-8. Also bounds what a quote that is never closed swallows. */
const ROW_BYTES = 3 * ROW_MAX
/** With its delimiters, quotes and empty cells, which the parser does not count. */
const RAW_ROW_BYTES = 1_000_000
const ROWS_MAX = 5_000_000

/** The rows of a CSV file while it arrives, whatever its charset, delimiter and line ends. */
export async function readCsv(bytes: AsyncIterator<Buffer>, rowsMax = ROWS_MAX): Promise<ReadFile> {
  const head = await readHead(bytes, HEAD_BYTES)
  const utf16 = utf16In(head)
  if (!utf16 && head.includes(0)) throw badFile('El archivo no es CSV ni Excel (.xlsx)')
  const bare = withoutBom(head)
  const text = utf16 ? new TextDecoder(utf16).decode(bare) : bare.toString('latin1')
  const said = SAID.exec(text)
  const dialect = dialectOf(said ? text.slice(said[0].length) : text, said?.[1])
  const whole = rest(bare, bytes)
  const body = without(said?.[0].length ?? 0, utf16 ? asUtf8(whole, utf16) : whole)
  const charset = new Charset()
  // Bytes as letters: all that parts cells is ASCII, and what the others mean is seen cell by cell.
  const parser = parse({
    ...{ ...dialect, encoding: 'latin1', max_record_size: ROW_BYTES, record_delimiter: ['\r\n', '\n', '\r'] },
    ...{ relax_column_count: true, relax_quotes: true, ltrim: true },
  })
  const quotes = { open: false }
  // Whoever reads the rows gets the error of either.
  pipeline(Readable.from(inRows(body, parser, quotes)), parser, () => undefined)
  return {
    charset: () => utf16 ?? charset.name,
    delimiter: dialect.delimiter,
    rows: rowsOf(parser, { charset, quotes, rowsMax }),
  }
}

/** What programs write above the table for Excel, which does not count it as a row. */
const SAID = /^"?sep=([^\r\n"])"?(?:\r\n|\n|\r|$)/i

type Utf16 = 'utf-16le' | 'utf-16be'

/** By its mark, else by the zeros beside the letters of ASCII, of which the top of a table is made. */
function utf16In(head: Buffer): Utf16 | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const top = head.subarray(0, 64)
  /** A zero at nearly each place of one kind, and letters alone at those of the other. */
  const isHalfOf = (first: number) => {
    const [zeros, letters] = [top.filter((_, at) => at % 2 === first), top.filter((_, at) => at % 2 !== first)]
    const few = top.length / 2 - top.length / 8
    return (
      zeros.filter((byte) => byte === 0).length > few &&
      letters.every((byte) => byte >= 0x20 || /\s/.test(String.fromCharCode(byte)))
    )
  }
  if (isHalfOf(1)) return 'utf-16le'
  return isHalfOf(0) ? 'utf-16be' : undefined
}

const BOMS = ['efbbbf', 'fffe', 'feff'].map((bytes) => Buffer.from(bytes, 'hex'))
const withoutBom = (head: Buffer): Buffer =>
  head.subarray(BOMS.find((bom) => head.subarray(0, bom.length).equals(bom))?.length ?? 0)

async function* without(count: number, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = count
  for await (const chunk of bytes) {
    if (chunk.length > left) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}

async function* asUtf8(bytes: AsyncIterable<Buffer>, charset: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(charset)
  for await (const chunk of bytes) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  yield Buffer.from(decoder.decode())
}

const QUOTED = /(^|[,;\t|\r\n])[ ]*"(?:[^"]|"")*"(?=[ ]*(?:[,;\t|\r\n]|$))/g
const ESCAPED = /[^\\,;\t|\r\n]\\"(?![ ]*(?:[,;\t|\r\n]|$))/
const LINES = 50

/**
 * What parts cells, unless it is said: what most lines have the same number of; titles above a table have none. And what a
 * quote inside of quotes has before it.
 */
function dialectOf(head: string, said: string | undefined): { delimiter: string; escape: string } {
  const lines = head
    .replace(QUOTED, '$1')
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== '')
    .slice(0, LINES)
  const delimiter = said ?? [',', ';', '\t', '|'].reduce((best, other) => (agrees(lines, other, best) ? other : best))
  return { delimiter, escape: ESCAPED.test(head) && !/[^,;\t|\r\n]""/.test(head) ? '\\' : '"' }
}

function agrees(lines: readonly string[], one: string, other: string): boolean {
  const [[times, parts], [lessTimes, lessParts]] = [columnsBy(lines, one), columnsBy(lines, other)]
  return times > lessTimes || (times === lessTimes && parts > lessParts)
}

/** The most frequent number of delimiters in a line, and in how many. */
function columnsBy(lines: readonly string[], delimiter: string): [times: number, count: number] {
  const times = new Map<number, number>()
  for (const line of lines) {
    const count = line.split(delimiter).length - 1
    if (count > 0) times.set(count, (times.get(count) ?? 0) + 1)
  }
  return [...times].reduce<[number, number]>(
    (best, [count, lines]) => (lines > best[0] || (lines === best[0] && count > best[1]) ? [lines, count] : best),
    [0, 0],
  )
}

/** UTF-8 where a cell is that, else the code page of Windows: banks mix both in one file. */
class Charset {
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  // Substitutes what the page leaves open.
  readonly #windows = new TextDecoder('windows-1252')
  name = 'utf-8'

  decode(cell: string): string {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is the same in every charset
    if (/^[\x00-\x7f]*$/.test(cell)) return cell
    const bytes = Buffer.from(cell, 'latin1')
    try {
      return this.#utf8.decode(bytes)
    } catch {
      this.name = 'windows-1252'
      return this.#windows.decode(bytes)
    }
  }
}

/** Nobody is sent to look for quotes that are not there. */
const tooLong = (row_no: number, { open }: { open: boolean }) =>
  badFile(
    `El renglón ${row_no} es demasiado largo. ${open ? 'Revisa que ninguna comilla quede abierta.' : 'Revisa que cada lead esté en un renglón suyo.'}`,
  )

async function* inRows(
  bytes: AsyncIterable<Buffer>,
  { info }: Parser,
  quotes: { open: boolean },
): AsyncGenerator<Buffer> {
  let [row, size] = [0, 0]
  for await (const chunk of bytes) {
    if (info.records !== row) [row, size] = [info.records, 0]
    if (size === 0) quotes.open = false
    quotes.open ||= chunk.includes('"')
    size += chunk.length
    if (size > RAW_ROW_BYTES) throw tooLong(row + 1, quotes)
    yield chunk
  }
}

interface Reading {
  charset: Charset
  quotes: { open: boolean }
  rowsMax: number
}

async function* rowsOf(parser: Parser, { charset, quotes, rowsMax }: Reading): AsyncGenerator<FileRow> {
  let row_no = 0
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      row_no += 1
      if (row_no > rowsMax + 1) throw badFile('El archivo tiene más de 5,000,000 de renglones. Divídelo en varios.')
      yield { row_no, cells: bounded(cells.map((cell) => charset.decode(cell))) }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // Those before it may not have been taken yet.
    const broken = parser.info.records + 1
    if (error.code === 'CSV_MAX_RECORD_SIZE') throw tooLong(broken, quotes)
    throw badFile(`El renglón ${broken} no se puede leer. Revisa sus comillas.`)
  }
}

import { pipeline, Readable } from 'node:stream'
import { CsvError, type Parser, parse } from 'csv-parse'
import { ROW_MAX } from '#contract/import-mapping.ts'
import { badFile } from './bad-file.ts'
import { bounded } from './bounded.ts'

/** A row with its number, as a spreadsheet counts, and its cells, bounded(). */
export interface FileRow {
  row_no: number
  cells: string[]
}

export interface ReadFile {
  /** Known once every row is read. */
  charset: () => string | null
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
  const head = await readHead(bytes)
  const utf16 = utf16In(head)
  if (!utf16 && head.includes(0)) throw badFile('El archivo no es CSV ni Excel (.xlsx)')
  const body = utf16 ? asUtf8(rest(head.subarray(2), bytes), utf16) : rest(withoutBom(head), bytes)
  const delimiter = delimiterOf(utf16 ? new TextDecoder(utf16).decode(head.subarray(2)) : head.toString('latin1'))
  const charset = new Charset()
  // Bytes as letters: all that parts cells is ASCII, and what the others mean is seen cell by cell.
  const parser = parse({
    ...{ delimiter, encoding: 'latin1', max_record_size: ROW_BYTES },
    ...{ relax_column_count: true, relax_quotes: true },
  })
  // Whoever reads the rows gets the error of either.
  pipeline(Readable.from(inRows(body, parser)), parser, () => undefined)
  return { charset: () => utf16 ?? charset.name, rows: rowsOf(parser, charset, rowsMax) }
}

async function readHead(bytes: AsyncIterator<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for (let size = 0; size < HEAD_BYTES; size += chunks.at(-1)?.length ?? 0) {
    const { done, value } = await bytes.next()
    if (done) break
    chunks.push(value)
  }
  return Buffer.concat(chunks)
}

async function* rest(head: Buffer, bytes: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (head.length) yield head
  for (let next = await bytes.next(); !next.done; next = await bytes.next()) yield next.value
}

const utf16In = (head: Buffer): 'utf-16le' | 'utf-16be' | undefined => {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined
}

const withoutBom = (head: Buffer): Buffer =>
  head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? head.subarray(3) : head

async function* asUtf8(bytes: AsyncIterable<Buffer>, charset: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(charset)
  for await (const chunk of bytes) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  yield Buffer.from(decoder.decode())
}

/** The one that parts the header most often; a comma where nothing does. */
function delimiterOf(head: string): string {
  const line = /^[\r\n]*([^\r\n]*)/.exec(head.replace(/"[^"]*"/g, ''))?.[1] ?? ''
  const times = (delimiter: string) => line.split(delimiter).length
  return [';', '\t', '|'].reduce((best, other) => (times(other) > times(best) ? other : best), ',')
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

const tooLong = (row_no: number) =>
  badFile(`El renglón ${row_no} es demasiado largo. Revisa que ninguna comilla quede abierta.`)

async function* inRows(bytes: AsyncIterable<Buffer>, { info }: Parser): AsyncGenerator<Buffer> {
  let [row, size] = [0, 0]
  for await (const chunk of bytes) {
    if (info.records !== row) [row, size] = [info.records, 0]
    size += chunk.length
    if (size > RAW_ROW_BYTES) throw tooLong(row + 1)
    yield chunk
  }
}

async function* rowsOf(parser: Parser, charset: Charset, rowsMax: number): AsyncGenerator<FileRow> {
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
    if (error.code === 'CSV_MAX_RECORD_SIZE') throw tooLong(broken)
    throw badFile(`El renglón ${broken} no se puede leer. Revisa sus comillas.`)
  }
}

import { getPriority, setPriority } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { streamXlsxRows } from 'hucre/xlsx'
import { COLUMNS_MAX } from '#contract/import-mapping.ts'
import { bounded } from './bounded.ts'
import type { FileRow } from './csv.ts'
import { sheetsOf } from './sheets.ts'
import { Markup, type Refusal, unpackingWhen } from './unpacking.ts'
import { entriesOf, packedBytes, STORED } from './zip.ts'

/** What the thread says: first the sheets that people see, then the rows of the one that is asked for. */
export interface Told {
  sheets?: string[]
  refused?: Refusal
  rows: FileRow[]
  last: boolean
}

const SHEET_ROWS = 1_048_576
const BATCH_ROWS = 1_000
/** What is posted is copied outside the memory that the thread is allowed. */
const BATCH_CHARACTERS = 1_000_000
/** A tenth of the scheduling weight of clicks, as for passwords (users/argon2-worker.ts). */
const NICE = 10
if (process.platform === 'linux') setPriority(Math.max(getPriority(), NICE))

const tell = (told: Partial<Told>) => parentPort?.postMessage({ rows: [], last: false, ...told })
const answered = () => new Promise<unknown>((resolve) => parentPort?.once('message', resolve))

let taken = 0
/** Until more rows are wanted than were posted. */
let asked: Promise<unknown> = Promise.resolve()

/** Until no row is left of those read so far: in a turn of the event loop none was taken. */
async function untilTaken(): Promise<void> {
  for (let before = -1; before !== taken; ) {
    before = taken
    await asked
    await setImmediate()
  }
}
function refuse(refused: Refusal): never {
  tell({ refused })
  process.exit()
}
globalThis.DecompressionStream = unpackingWhen(untilTaken, refuse)

/** Posts the rows of a sheet, so many at a time; the next when they are asked for. */
async function read(file: Uint8Array, sheet: string): Promise<void> {
  let [rows, characters]: [FileRow[], number] = [[], 0]
  const next = async (last: boolean) => {
    asked = answered()
    tell({ rows, last })
    ;[rows, characters] = [[], 0]
    if (!last) await asked
  }
  let after = -1
  for await (const { index, values } of streamXlsxRows(file, { sheet })) {
    taken += 1
    // The numbers are whatever the file says; they are the key of its rows, and say how much work it is.
    if (!Number.isInteger(index) || index <= after || index >= SHEET_ROWS) throw new Error('Rows out of order')
    after = index
    const cells = bounded(filled(values).map(textOf))
    rows.push({ row_no: index + 1, cells })
    // A cell that holds nothing is work, too: rows of thousands of them are told of before there are a thousand.
    characters += cells.reduce((sum, cell) => sum + cell.length, values.length)
    if (rows.length === BATCH_ROWS || characters > BATCH_CHARACTERS) await next(false)
  }
  await next(true)
}

/**
 * The cells up to the last that may be a column, and the first behind them that says something: of those out to the last
 * column of a sheet most hold nothing, or a stray blank.
 */
function filled(values: readonly unknown[]): unknown[] {
  const isFilled = (value: unknown) => value !== null && (typeof value !== 'string' || /\S/.test(value))
  const beyond = values.findIndex((value, index) => index >= COLUMNS_MAX && isFilled(value))
  return [...values.slice(0, COLUMNS_MAX), ...(beyond < 0 ? [] : [values[beyond]])]
}

/** Of longer numbers Excel keeps no more digits. As it shows them, they are no id of another lead, and no card number. */
const EXACT_BELOW = 1e15

/** Of a formula hucre gives what it last came to. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString().slice(0, 19).replace('T', ' ').replace(' 00:00:00', '')
  if (typeof value === 'boolean') return value ? 'VERDADERO' : 'FALSO'
  if (typeof value === 'number') return textOfNumber(value)
  return String(value)
}

/** '500.004' alone may be a text with a point between thousands (amount_in()), which a number never is. */
const textOfNumber = (value: number): string =>
  Math.abs(value) < EXACT_BELOW ? String(value).replace(/^-?\d{1,3}\.\d{3}$/, '$&0') : value.toExponential(5)

const file = Buffer.from(workerData as Uint8Array)
const entries = entriesOf(file)
// What is not packed never comes through what unpacks.
for (const entry of entries) if (entry.method === STORED) new Markup(refuse).push(packedBytes(file, entry))
const wanted = answered()
tell({ sheets: sheetsOf(file, entries) })
await read(file, String(await wanted))
parentPort?.close()

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { AppError } from '../http/errors.ts'
import { badFile } from './bad-file.ts'
import type { FileRow, ReadFile } from './csv.ts'
import { expectArchiveOfExcel } from './kinds.ts'
import { Places } from './places.ts'
import type { Refusal } from './unpacking.ts'
import type { Told } from './xlsx-worker.ts'
import { entriesOf, expectUnpacked } from './zip.ts'

const PACKED_MAX = 25 * 1024 * 1024
const UNPACKED_MAX = 200 * 1024 * 1024
const ROWS_MAX = 200_000
const MORE = 'Para más filas, guarda el archivo como CSV'
/** Of the thread that unpacks: Excel stores its texts behind the sheet, so they are all held. */
const MEMORY_MB = 512
const CPU_LOOK_MS = 250

/** How much of a processor a file may take, and how long for the next of its rows and as a whole. */
interface Patience {
  cpuMs: number
  batchMs: number
  wholeMs: number
}
/** 200,000 rows take a minute where the machine is slow and busy, a fraction of that of its processor. */
const PATIENCE: Patience = { cpuMs: 60_000, batchMs: 120_000, wholeMs: 600_000 }

/** Which of the sheets that people see is read. */
export type ChooseSheet = (sheets: readonly string[]) => string | Promise<string>

export interface Wanted {
  gone: AbortSignal
  choose: ChooseSheet
}

/**
 * The rows of a sheet, while whoever sent it is there. Read in a thread of its own: a sheet that is too much for it takes
 * nothing else along.
 */
export async function readXlsx(bytes: AsyncIterator<Buffer>, wanted: Wanted, patience = PATIENCE): Promise<ReadFile> {
  const chunks: Buffer[] = []
  let size = 0
  for (let next = await bytes.next(); !next.done; next = await bytes.next()) {
    size += next.value.length
    if (size > PACKED_MAX) throw badFile(`El archivo de Excel pasa de 25 MB. ${MORE}.`)
    chunks.push(next.value)
  }
  const file = Buffer.concat(chunks)
  const entries = entriesOf(file)
  expectUnpacked(entries, UNPACKED_MAX)
  expectArchiveOfExcel(entries)
  return { charset: () => null, delimiter: null, rows: inPlace(file, wanted, patience) }
}

/** As many files as there is memory for are read at once; an issuer sends one at a time, so it never has more than one place. */
const places = new Places(3)

async function* inPlace(file: Buffer, wanted: Wanted, patience: Patience): AsyncGenerator<FileRow> {
  const leave = await places.take(wanted.gone)
  try {
    yield* rowsIn(file, wanted, patience)
  } finally {
    leave()
  }
}

async function* rowsIn(file: Buffer, { gone, choose }: Wanted, patience: Patience): AsyncGenerator<FileRow> {
  const worker = new Worker(new URL('./xlsx-worker.ts', import.meta.url), {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  // Also while rows are stored and nobody waits for it.
  const broken = new AbortController()
  worker.on('error', (error) => broken.abort(error))
  worker.on('message', ({ refused }: Told) => refused && broken.abort(badFile(refusals[refused])))
  worker.on('exit', () => broken.abort(new Error('Ended before its last row')))
  const looking = setInterval(() => void endWhenOver(worker, patience.cpuMs, broken), CPU_LOOK_MS)
  const ended = AbortSignal.any([gone, broken.signal, AbortSignal.timeout(patience.wholeMs)])
  let count = 0
  try {
    for (;;) {
      const signal = AbortSignal.any([ended, AbortSignal.timeout(patience.batchMs)])
      const [{ sheets, rows, last }] = (await once(worker, 'message', { signal })) as [Told]
      count += rows.length
      if (count > ROWS_MAX + 1) throw badFile(`El archivo de Excel tiene más de 200,000 renglones. ${MORE}.`)
      yield* rows
      if (last) return
      worker.postMessage(sheets && (await choose(sheets)))
    }
  } catch (error) {
    gone.throwIfAborted()
    const cause = error instanceof AppError ? error : (broken.signal.reason ?? error)
    throw cause instanceof AppError ? cause : unreadable(cause)
  } finally {
    clearInterval(looking)
    await worker.terminate()
  }
}

async function endWhenOver(worker: Worker, cpuMs: number, broken: AbortController): Promise<void> {
  // None of one that has ended.
  const used = await worker.cpuUsage().catch(() => undefined)
  if (used && used.user + used.system > cpuMs * 1_000) broken.abort(new DOMException('Over its time', 'AbortError'))
}

const BROKEN = 'El archivo de Excel está dañado. Ábrelo y guárdalo de nuevo.'
const refusals: Record<Refusal, string> = {
  markup: BROKEN,
  unpacking: BROKEN,
  format: 'El archivo de Excel tiene un formato de número demasiado largo. Guárdalo como CSV.',
}

function unreadable(error: unknown): AppError {
  const { code, name } = error as { code?: string; name?: string }
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return badFile(`El archivo de Excel es demasiado grande. ${MORE}.`)
  if (name === 'AbortError') return badFile('El archivo de Excel tarda demasiado en leerse. Guárdalo como CSV.')
  return badFile(BROKEN)
}

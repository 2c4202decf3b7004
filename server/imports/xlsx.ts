import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { AppError } from '../http/errors.ts'
import { badFile } from './bad-file.ts'
import type { FileRow, ReadFile } from './csv.ts'
import { expectUnpacked } from './zip-sizes.ts'

const PACKED_MAX = 25 * 1024 * 1024
const UNPACKED_MAX = 200 * 1024 * 1024
const ROWS_MAX = 200_000
const MORE = 'Para más filas, guarda el archivo como CSV'
/** Of the thread that unpacks: Excel stores its texts behind the sheet, so they are all held. */
const MEMORY_MB = 512

/** How long a file may take for the next of its rows, and as a whole, while others wait. */
interface Patience {
  batchMs: number
  wholeMs: number
}
/** On a slow machine 200,000 rows take a minute; many texts, which come before the first row, some seconds of it. */
const PATIENCE: Patience = { batchMs: 60_000, wholeMs: 300_000 }

/**
 * The rows of the first sheet, while whoever sent it is there. Read in a thread of its own: a sheet that is too much for it
 * takes nothing else along.
 */
export async function readXlsx(
  bytes: AsyncIterator<Buffer>,
  gone: AbortSignal,
  patience = PATIENCE,
): Promise<ReadFile> {
  const chunks: Buffer[] = []
  let size = 0
  for (let next = await bytes.next(); !next.done; next = await bytes.next()) {
    size += next.value.length
    if (size > PACKED_MAX) throw badFile(`El archivo de Excel pasa de 25 MB. ${MORE}.`)
    chunks.push(next.value)
  }
  const file = Buffer.concat(chunks)
  expectUnpacked(file, UNPACKED_MAX)
  return { charset: () => null, rows: inTurn(file, gone, patience) }
}

let turn: Promise<void> = Promise.resolve()

/** One after another, so that several files need no more memory than one. */
async function* inTurn(file: Buffer, gone: AbortSignal, patience: Patience): AsyncGenerator<FileRow> {
  const before = turn
  const mine = Promise.withResolvers<void>()
  turn = before.then(() => mine.promise)
  try {
    gone.throwIfAborted()
    await Promise.race([before, once(gone, 'abort')])
    gone.throwIfAborted()
    yield* rowsIn(file, gone, patience)
  } finally {
    mine.resolve()
  }
}

async function* rowsIn(file: Buffer, gone: AbortSignal, { batchMs, wholeMs }: Patience): AsyncGenerator<FileRow> {
  const worker = new Worker(new URL('./xlsx-worker.ts', import.meta.url), {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  // Also while rows are stored and nobody waits for it.
  const broken = new AbortController()
  worker.on('error', (error) => broken.abort(error))
  const ended = AbortSignal.any([gone, broken.signal, AbortSignal.timeout(wholeMs)])
  let count = 0
  try {
    for (;;) {
      const signal = AbortSignal.any([ended, AbortSignal.timeout(batchMs)])
      const [{ rows, last }] = (await once(worker, 'message', { signal })) as [{ rows: FileRow[]; last: boolean }]
      count += rows.length
      if (count > ROWS_MAX + 1) throw badFile(`El archivo de Excel tiene más de 200,000 renglones. ${MORE}.`)
      yield* rows
      if (last) return
      worker.postMessage('more')
    }
  } catch (error) {
    gone.throwIfAborted()
    throw error instanceof AppError ? error : unreadable(broken.signal.reason ?? error)
  } finally {
    await worker.terminate()
  }
}

function unreadable(error: unknown): AppError {
  const { code, name } = error as { code?: string; name?: string }
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return badFile(`El archivo de Excel es demasiado grande. ${MORE}.`)
  if (name === 'AbortError') return badFile('El archivo de Excel tarda demasiado en leerse. Guárdalo como CSV.')
  if (name === 'EncryptedFileError') return badFile('El archivo de Excel tiene contraseña. Guárdalo sin ella.')
  return badFile('El archivo de Excel está dañado. Ábrelo y guárdalo de nuevo.')
}

import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { streamXlsxRows } from 'hucre/xlsx'
import type { FileRow } from './csv.ts'

const BATCH = 1_000
/** A tenth of the scheduling weight of clicks, as for passwords (users/argon2-worker.ts). */
const NICE = 10
if (process.platform === 'linux') setPriority(Math.max(getPriority(), NICE))

/** Posts the rows of a sheet, so many at a time; the next when they are asked for. */
async function read(file: Uint8Array): Promise<void> {
  let rows: FileRow[] = []
  const next = async (last: boolean) => {
    const asked = new Promise((resolve) => parentPort?.once('message', resolve))
    parentPort?.postMessage({ rows, last })
    rows = []
    if (!last) await asked
  }
  for await (const { index, values } of streamXlsxRows(file)) {
    rows.push({ row_no: index + 1, cells: values.map(textOf) })
    if (rows.length === BATCH) await next(false)
  }
  await next(true)
}

/** Of a formula hucre gives what it last came to. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString().slice(0, 19).replace('T', ' ').replace(' 00:00:00', '')
  if (typeof value === 'boolean') return value ? 'VERDADERO' : 'FALSO'
  return String(value)
}

await read(workerData as Uint8Array)
parentPort?.close()

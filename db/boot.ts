import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Account, type Binaries, launchAs } from './binaries.ts'
import { openLocked } from './file-lock.ts'
import { OperatorError } from './operator-error.ts'
import { gone, postgresOf, signal } from './processes.ts'

/** Crash recovery may take minutes, and a restart would begin it again. */
const START_MS = 900_000

const MEGABYTE = 2 ** 20
/** Half of PostgreSQL's advice for a dedicated machine, since Node shares it; more than `most` was not faster. */
const BUFFERS = { share: 1 / 8, least: 128 * MEGABYTE, most: 1024 * MEGABYTE }

/** PostgreSQL's cache on a machine with this many bytes of memory. */
export function sharedBuffers(memory: number): string {
  const { share, least, most } = BUFFERS
  return `${Math.floor(Math.min(Math.max(memory * share, least), most) / MEGABYTE)}MB`
}

/** Of the machine, or of the container that this runs in. */
const ownMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

/**
 * max_wal_size and checkpoint_timeout stay PostgreSQL's: with 4 GB and 15 minutes clicks were no faster (2,000 a second beside
 * two million leads: p99 23 ms, 21 and 29 without), and a start after a crash has four times as much to repeat. WAL is not
 * compressed: with pglz it was a third less, and clicks were slower (beside a million leads: 31 and 35 ms, 26 without).
 */
const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  max_connections: '120',
  shared_buffers: sharedBuffers(ownMemory()),
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  jit: 'off',
  // Node shares the processors; a query that takes them all would make every click wait.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  random_page_cost: '1.1',
  // Filling a new WAL segment with zeros made some clicks wait 50 to 120 ms.
  wal_init_zero: 'off',
  // DETAIL and STATEMENT hold the values of rows: `Key (email)=(…) already exists` (security 2.11).
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}

export type Place = { root: string; data: string; log: string; password: string; account: Account; binaries: Binaries }

/** From postmaster.pid: the process on line 1, its state on line 8. */
function postmasterState(data: string): { pid?: number; ready: boolean } {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]) || undefined, ready: lines[7]?.trim() === 'ready' }
  } catch {
    return { ready: false } // not there yet, or being replaced
  }
}

/** Ends a PostgreSQL of a killed run that still holds the data: gently, then by force. */
export async function clearLeftovers(data: string, log: (message: string) => void): Promise<void> {
  const found = postgresOf(data, postmasterState(data).pid)
  if (found.length === 0) return
  log(`Se detiene un PostgreSQL que quedó de una ejecución anterior (${found.length} procesos).`)
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ]
  for (const [name, patience] of steps) {
    const parent = postmasterState(data).pid
    const left = postgresOf(data, parent)
    // Only the parent can shut down on SIGINT; orphans obey nothing milder than SIGQUIT.
    const targets = name === 'SIGINT' ? left.filter((pid) => pid === parent) : left
    for (const pid of targets) signal(pid, name)
    if (name === 'SIGINT' && targets.length === 0) continue
    if (await gone(left, patience)) return
  }
  throw new OperatorError(`No se pudo detener el PostgreSQL que quedó en ${data}: deténgalo a mano.`)
}

function tailOf(file: string, from: number): string {
  const lines = readFileSync(file).subarray(from).toString('utf8').split('\n')
  const errors = lines.filter((line) => /\b(FATAL|PANIC|ERROR):/.test(line))
  return (errors.at(-1) ?? lines.filter(Boolean).at(-1) ?? '').replace(/^.*?(FATAL|PANIC|ERROR):\s*/, '')
}

function explain(reason: string, place: Place, port: number): OperatorError {
  if (/No space left/i.test(reason))
    return new OperatorError(`El disco está lleno: PostgreSQL no puede empezar en ${place.data}.`, { mayPass: true })
  if (/could not create any TCP|could not bind|in use/i.test(reason)) {
    return new OperatorError(`El puerto ${port} de la base de datos está ocupado por otro programa.`)
  }
  if (/incompatible/i.test(reason)) {
    return new OperatorError(`Los datos de ${place.data} son de otra versión de PostgreSQL: ${reason}`)
  }
  return new OperatorError(`PostgreSQL no pudo empezar: ${reason || 'sin explicación'} (vea ${place.log}).`)
}

/**
 * All processes of a PostgreSQL inherit this lock, so while one lives, even where we cannot see it, nobody else starts on
 * its data. PostgreSQL's own file names a process by its number: another container cannot find that one, and an
 * unrelated one may have it.
 */
function takeData({ root, data }: Place): number {
  const lock = openLocked(join(root, 'postmaster.lock'))
  if (lock === undefined) {
    const message = `Un PostgreSQL que no se ve desde aquí, quizá de otro contenedor, todavía usa ${data}: deténgalo.`
    throw new OperatorError(message, { mayPass: true })
  }
  rmSync(join(data, 'postmaster.pid'), { force: true })
  return lock
}

function launch(place: Place, port: number, flags: Record<string, string>): ChildProcess {
  const settings = Object.entries({ ...SETTINGS, ...flags }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const args = ['-D', place.data, '-p', String(port), ...settings]
  const { command, args: all, ...identity } = launchAs(place.account, place.binaries.postgres, args, [place.data])
  const lock = takeData(place)
  const log = openSync(place.log, 'a', 0o600)
  // A process group of its own: Ctrl-C must reach the server alone, which needs the database to finish.
  const child = spawn(command, all, {
    ...identity,
    detached: true,
    stdio: ['ignore', log, log, lock],
    env: { PATH: process.env.PATH },
  })
  for (const file of [log, lock]) closeSync(file)
  return child
}

export const ended = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** Starts PostgreSQL and waits until it accepts connections. */
export async function boot(place: Place, port: number, flags: Record<string, string>): Promise<ChildProcess> {
  const logged = statSync(place.log).size
  const child = launch(place, port, flags)
  let failure: Error | undefined
  child.once('error', (error) => {
    failure = error
  })
  for (const end = performance.now() + START_MS; ; await wait(20)) {
    if (failure) throw new OperatorError(`No se pudo ejecutar PostgreSQL: ${failure.message}`, { cause: failure })
    if (ended(child)) throw explain(tailOf(place.log, logged), place, port)
    const state = postmasterState(place.data)
    if (state.ready && state.pid === child.pid) return child
    if (performance.now() > end) {
      child.kill('SIGQUIT')
      const message = `PostgreSQL no estuvo listo en ${START_MS / 1000} segundos (vea ${place.log}).`
      throw new OperatorError(message, { mayPass: true })
    }
  }
}

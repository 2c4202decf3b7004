import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { accountFor, findBinaries } from './binaries.ts'
import { boot, clearLeftovers, ended, type Place } from './boot.ts'
import { makeDataFolder } from './data-folder.ts'
import { holdFolder } from './folder-lock.ts'
import { HeldPort } from './held-port.ts'
import { initialise } from './initialise.ts'
import { codeOf, folderError, OperatorError } from './operator-error.ts'
import { postgresOf, signal } from './processes.ts'

export type Cluster = {
  /** Connects as the owner of everything. */
  url: string
  port: number
  /** PostgreSQL's main process; changes with each restart. */
  pid(): number
  /** How often it ended unexpectedly and was restarted. */
  restarts(): number
  stop(): Promise<void>
  /** For exit handlers, which cannot wait: leaves a database that repairs itself at the next start. */
  kill(): void
}

type ClusterOptions = {
  /** Ours alone: holds PostgreSQL's own folder, its password and its log. */
  dataDir: string
  port?: number
  /** Settings of PostgreSQL that override ours, as { fsync: 'off' }. */
  flags?: Record<string, string>
  log: (message: string) => void
}

const USER = 'afluente'
const DATABASE = 'afluente'
const STOP_MS = 8_000
const LOG_LIMIT = 10_000_000

/** The folder, made if needed, and the account that will own its content. */
async function openPlace(dataDir: string): Promise<Place> {
  try {
    makeDataFolder(dataDir)
    const root = realpathSync(dataDir)
    const data = join(root, 'postgres')
    const log = join(root, 'postgres.log')
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT) rmSync(log)
    closeSync(openSync(log, 'a', 0o600))
    const password = join(root, 'postgres.password')
    return { root, data, log, password, account: accountFor(data), binaries: await findBinaries() }
  } catch (error) {
    throw folderError(dataDir, error)
  }
}

function passwordOf(place: Place): string {
  try {
    const password = readFileSync(place.password, 'utf8').trim()
    if (password) return password
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw folderError(place.root, error)
  }
  if (existsSync(join(place.data, 'PG_VERSION'))) {
    throw new OperatorError(
      `Falta ${place.password}, la contraseña de la base de datos que ya existe en ${place.data}.`,
    )
  }
  const password = randomBytes(24).toString('hex')
  try {
    writeFileSync(place.password, `${password}\n`, { mode: 0o600 })
    chmodSync(place.password, 0o600)
    if (place.account) chownSync(place.password, place.account.uid, place.account.gid)
  } catch (error) {
    throw folderError(place.root, error)
  }
  return password
}

async function ensureDatabase(url: (database: string) => string): Promise<void> {
  const client = new pg.Client({ connectionString: url('postgres'), connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (found.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(DATABASE)}`)
  } finally {
    await client.end()
  }
}

/** Keeps PostgreSQL running until `stop`. */
class Keeper {
  private readonly place: Place
  private readonly port: number
  private readonly options: ClusterOptions
  private child: ChildProcess
  private stopping = false
  restarts = 0
  private repair: Promise<void> = Promise.resolve()

  constructor(place: Place, port: number, options: ClusterOptions, child: ChildProcess) {
    this.place = place
    this.port = port
    this.options = options
    this.child = child
    this.watch()
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  private watch(): void {
    const again = () => {
      if (this.stopping) return
      this.options.log('PostgreSQL terminó de improviso: se vuelve a iniciar.')
      this.repair = this.restart()
    }
    if (ended(this.child)) again()
    else this.child.once('exit', again)
  }

  private async restart(): Promise<void> {
    for (let delay = 100; !this.stopping; delay = Math.min(delay * 2, 2_000)) {
      try {
        await clearLeftovers(this.place.data, this.options.log)
        if (this.stopping) return
        this.child = await boot(this.place, this.port, this.options.flags ?? {})
        this.restarts += 1
        this.options.log('PostgreSQL está listo de nuevo.')
        this.watch()
        return
      } catch (error) {
        this.options.log(error instanceof Error ? error.message : String(error))
        await wait(delay)
      }
    }
  }

  /** Fast shutdown; clients still connected are cut. */
  async stop(): Promise<void> {
    this.stopping = true
    await this.repair
    const { child } = this
    for (const name of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      if (ended(child)) return
      const exited = new Promise((resolve) => child.once('exit', resolve))
      child.kill(name)
      await Promise.race([exited, wait(STOP_MS, undefined, { ref: false })])
    }
  }

  kill(): void {
    this.stopping = true
    for (const pid of postgresOf(this.place.data, this.child.pid)) signal(pid, 'SIGKILL')
  }
}

const ATTEMPTS = 5
const PAUSE_MS = 200

async function bootOn(held: HeldPort, place: Place, options: ClusterOptions): Promise<ChildProcess> {
  await held.release()
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await boot(place, held.number, options.flags ?? {})
    } catch (error) {
      // Another program may have taken the port after we released it, for an outgoing connection.
      const taken = error instanceof OperatorError && error.message.includes('está ocupado')
      if (options.port !== undefined || !taken || attempt === ATTEMPTS) throw error
      await wait(PAUSE_MS * attempt)
    }
  }
}

/** A cluster before its start: its URL is known already. */
export type ClusterAtRest = Cluster & {
  /** Returns when it accepts connections; after a failure it may be called again. */
  start(): Promise<void>
}

/** The PostgreSQL of the npm package on our own data folder, on a loopback port, not yet started. */
export async function openCluster(options: ClusterOptions): Promise<ClusterAtRest> {
  const place = await openPlace(options.dataDir)
  const release = holdFolder(place.root, 'postgres.lock')
  try {
    const password = passwordOf(place)
    const held = await HeldPort.take(options.port)
    const url = (database: string) => `postgres://${USER}:${password}@127.0.0.1:${held.number}/${database}`
    let keeper: Keeper | undefined
    const start = async () => {
      await prepareData(place, options)
      keeper = new Keeper(place, held.number, options, await bootOn(held, place, options))
      await ensureDatabase(url).catch(async (error) => {
        await keeper?.stop()
        throw error
      })
    }
    /** Also one that has not finished starting. */
    const kill = () => {
      if (keeper) keeper.kill()
      else for (const pid of postgresOf(place.data, undefined)) signal(pid, 'SIGKILL')
    }
    const stop = async () => {
      if (!keeper) kill()
      await Promise.all([keeper?.stop(), held.release()]).finally(release)
    }
    const [pid, restarts] = [() => keeper?.pid ?? 0, () => keeper?.restarts ?? 0]
    return { url: url(DATABASE), port: held.number, pid, restarts, start, stop, kill }
  } catch (error) {
    release()
    throw error
  }
}

async function prepareData({ data, password, account, binaries }: Place, options: ClusterOptions): Promise<void> {
  await clearLeftovers(data, options.log)
  const durable = options.flags?.fsync !== 'off'
  const made = await initialise({ data, passwordFile: password, user: USER, account, binaries, durable })
  if (made) options.log('Base de datos creada.')
}

/** The same, started, and restarted until stopped. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const cluster = await openCluster(options)
  try {
    await cluster.start()
    return cluster
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

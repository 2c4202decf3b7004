import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { takeBaseBackup } from '#db/base-backup.ts'
import { accountFor, findBinaries } from '#db/binaries.ts'
import { boot, type Place } from '#db/boot.ts'
import { initialise } from '#db/initialise.ts'
import { freePort } from '#db/processes.testing.ts'
import { gone, postgresOf, signal } from '#db/processes.ts'
import { BASE, NewFile } from '#server/backup/manifest.ts'
import { unpack } from '#server/backup/restore.ts'
import { Balancer } from './balancer.ts'

const START_MS = 120_000

/** A PostgreSQL without automatic restarts, unlike the embedded one. */
export class Machine {
  readonly port: number
  readonly url: string
  readonly #place: Place
  #pid = 0

  constructor(place: Place, port: number, password: string) {
    this.#place = place
    this.port = port
    this.url = `postgres://afluente:${password}@127.0.0.1:${port}/afluente`
  }

  async start(): Promise<void> {
    this.#pid = (await boot(this.#place, this.port, {})).pid ?? 0
  }

  /** Kills every process of it, as when the machine is lost. */
  async kill(): Promise<void> {
    const all = this.#processes()
    for (const pid of all) signal(pid, 'SIGKILL')
    if (!(await gone(all, 60_000))) throw new Error('PostgreSQL outlived SIGKILL')
  }

  async ask<Row extends pg.QueryResultRow>(text: string, database = 'afluente'): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url.replace(/afluente$/, database) })
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }

  #processes(): number[] {
    return postgresOf(this.#place.data, this.#pid)
  }
}

const own = ({ account }: Place, path: string) => account && chownSync(path, account.uid, account.gid)

async function placeIn(root: string, password: string): Promise<Place> {
  mkdirSync(root, { mode: 0o711 })
  chmodSync(root, 0o711)
  const data = join(root, 'postgres')
  const place = {
    root,
    data,
    log: join(root, 'postgres.log'),
    password: join(root, 'postgres.password'),
    account: accountFor(data),
    binaries: await findBinaries(),
  }
  writeFileSync(place.log, '')
  writeFileSync(place.password, `${password}\n`, { mode: 0o600 })
  own(place, place.password)
  return place
}

/** Copies the files of a running PostgreSQL, as `npm run backup` and docs/operacion-respaldos.md do. */
async function copyData(primary: Machine, to: Place, conninfo: string): Promise<void> {
  const archive = new NewFile(to.root, BASE)
  await takeBaseBackup(primary.url, { take: (bytes) => archive.write(bytes), expect: () => undefined })
  archive.close()
  unpack(join(to.root, BASE), to.data)
  const files: Record<string, string> = {
    'standby.signal': '',
    'postgresql.auto.conf': `primary_conninfo = '${conninfo}'\n`,
  }
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(to.data, name), text)
    own(to, join(to.data, name))
  }
}

export interface Pair {
  primary: Machine
  standby: Machine
  /** Cuts the standby off from its primary, for good. */
  part: () => Promise<void>
  stop: () => Promise<void>
}

/** A primary and a standby that every commit waits for. */
export async function openPair(folder: string): Promise<Pair> {
  const password = randomBytes(16).toString('hex')
  const [from, to] = [await placeIn(join(folder, 'bd1'), password), await placeIn(join(folder, 'bd2'), password)]
  await initialise({ ...from, passwordFile: from.password, user: 'afluente', durable: true })
  const primary = new Machine(from, await freePort(), password)
  const standby = new Machine(to, await freePort(), password)
  await primary.start()
  const link = await Balancer.open([primary.port], 'first')
  const stop = async () => {
    await Promise.all([primary.kill(), standby.kill()])
    await link.close()
  }
  try {
    await primary.ask('create database afluente', 'postgres')
    const address = `host=127.0.0.1 port=${link.port} user=afluente password=${password}`
    await copyData(primary, to, `${address} application_name=bd2`)
    await standby.start()
    await primary.ask("alter system set synchronous_standby_names = 'FIRST 1 (bd2)'")
    await primary.ask('select pg_reload_conf()')
    await untilSync(primary)
    return { primary, standby, part: () => link.close(), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function untilSync(primary: Machine): Promise<void> {
  for (const end = Date.now() + START_MS; Date.now() < end; await wait(100)) {
    const rows = await primary.ask<{ sync_state: string }>('select sync_state from pg_stat_replication')
    if (rows.some(({ sync_state }) => sync_state === 'sync')) return
  }
  throw new Error('The standby did not follow in time')
}

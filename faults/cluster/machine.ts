import type { ChildProcess } from 'node:child_process'
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accountFor } from '#db/binaries.ts'
import { end, freePort } from '#db/processes.testing.ts'
import { gone, postgresOf, signal } from '#db/processes.ts'
import { SmallDisk } from '../small-disk.ts'
import { Link } from './link.ts'
import { etcdArguments, type Machine, patroniFile } from './patroni.ts'
import { launch, POSTGRES } from './programs.ts'

const DISK_MEGABYTES = 1_000
const END_MS = 20_000
const AGAIN_MS = 1_000

type Program = 'etcd' | 'patroni'

/** One of three: PostgreSQL under Patroni, and a member of etcd. Everything reaches it through links that can be cut. */
export class ClusterMachine implements Machine {
  readonly name: string
  readonly folder: string
  readonly data: string
  readonly ports: Machine['ports']
  /** For the other machines, and for HAProxy. */
  readonly peers: Record<'sql' | 'rest', Link>
  readonly clients: Record<'sql' | 'rest', Link>
  /** To each member of etcd. */
  dcs: Link[] = []
  disk: SmallDisk | undefined
  readonly #children = new Map<Program, ChildProcess>()
  #on = false

  private constructor(parts: Pick<ClusterMachine, 'name' | 'folder' | 'ports' | 'peers' | 'clients'>) {
    ;({ name: this.name, folder: this.folder, ports: this.ports, peers: this.peers, clients: this.clients } = parts)
    this.data = join(this.folder, 'postgres/data')
  }

  static async prepare(name: string, around: string): Promise<ClusterMachine> {
    const folder = join(around, name)
    const [etcd, peers, sql, rest] = [await freePort(), await freePort(), await freePort(), await freePort()]
    const ports = { etcd, peers, sql, rest }
    for (const each of [folder, join(folder, 'postgres')]) mkdirSync(each, { mode: 0o700 })
    const links = async () => ({ sql: await Link.open(ports.sql), rest: await Link.open(ports.rest) })
    const machine = new ClusterMachine({ name, folder, ports, peers: await links(), clients: await links() })
    const account = machine.#account
    if (account) for (const each of [folder, join(folder, 'postgres')]) chownSync(each, account.uid, account.gid)
    return machine
  }

  get reached() {
    return { sql: this.peers.sql.port, rest: this.peers.rest.port }
  }

  get etcd(): number[] {
    return this.dcs.map(({ port }) => port)
  }

  /** A disk of its own for PostgreSQL, before the first start. */
  mountSmallDisk(): void {
    this.disk = new SmallDisk(join(this.folder, 'postgres'), DISK_MEGABYTES)
  }

  startEtcd(all: Machine[]): void {
    this.#on = true
    this.#keep('etcd', etcdArguments(this, all))
  }

  startPatroni(): void {
    const file = join(this.folder, 'patroni.yml')
    writeFileSync(file, patroniFile(this, POSTGRES))
    this.#keep('patroni', [file])
  }

  start(all: Machine[]): void {
    this.startEtcd(all)
    this.startPatroni()
  }

  async killPostgres(): Promise<void> {
    await this.#killAll(this.#postgres())
  }

  /** Its power is cut. */
  async kill(): Promise<void> {
    this.#on = false
    for (const child of this.#children.values()) child.kill('SIGKILL')
    await this.#killAll(this.#postgres())
  }

  /** For exit handlers, which cannot wait. */
  abandon(): void {
    this.#on = false
    for (const child of this.#children.values()) child.kill('SIGKILL')
    for (const pid of this.#postgres()) signal(pid, 'SIGKILL')
    this.disk?.unmount()
  }

  freeze(...parts: ('patroni' | 'postgres' | 'etcd')[]): void {
    this.#signal('SIGSTOP', parts)
  }

  /** Whatever was done to it is over. */
  mend(all: Machine[]): void {
    for (const link of this.#links) link.mend()
    this.#signal('SIGCONT', ['etcd', 'postgres', 'patroni'])
    this.disk?.free()
    if (!this.#on) this.start(all)
  }

  async stop(): Promise<void> {
    this.#on = false
    for (const link of this.#links) link.mend()
    this.#signal('SIGCONT', ['etcd', 'postgres', 'patroni'])
    for (const child of [...this.#children.values()].toReversed()) {
      const late = setTimeout(() => child.kill('SIGKILL'), END_MS)
      await end(child)
      clearTimeout(late)
    }
    await this.#killAll(this.#postgres())
    for (const link of this.#links) link.close()
    this.disk?.unmount()
  }

  get #links(): Link[] {
    return [this.peers, this.clients].flatMap(({ sql, rest }) => [sql, rest]).concat(this.dcs)
  }

  get #account() {
    return accountFor(this.data)
  }

  #postgres(): number[] {
    return postgresOf(this.data, undefined)
  }

  /** Started again whenever it ends, as by `Restart=always`: this Patroni gives up when etcd is not yet there. */
  #keep(program: Program, args: string[]): void {
    const { folder } = this
    const log = `${folder}.${program}.log`
    const child = launch(program, args, { account: this.#account, folder, log })
    this.#children.set(program, child)
    child.once('exit', () => {
      if (this.#on) setTimeout(() => this.#on && this.#keep(program, args), AGAIN_MS)
    })
  }

  #signal(name: NodeJS.Signals, parts: string[]): void {
    for (const [program, child] of this.#children) if (parts.includes(program)) child.kill(name)
    if (parts.includes('postgres')) for (const pid of this.#postgres()) signal(pid, name)
  }

  async #killAll(pids: number[]): Promise<void> {
    for (const pid of pids) signal(pid, 'SIGKILL')
    if (!(await gone(pids, END_MS))) throw new Error(`PostgreSQL of ${this.name} outlived SIGKILL`)
  }
}

import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Links, makeFolder, makeLeads, makeLinks, removeFolder } from '#bench/clicks/world.ts'
import { type Copies, startCopies } from '#bench/copies/world.ts'
import { asker } from '#bench/journal/load.ts'
import { accountFor } from '#db/binaries.ts'
import { connect } from '#db/connect.ts'
import { end, freePort } from '#db/processes.testing.ts'
import { NotRun } from '../fault.ts'
import { haproxyFile } from './haproxy.ts'
import { Link } from './link.ts'
import { ClusterMachine } from './machine.ts'
import { PASSWORD } from './patroni.ts'
import { ensurePrograms, launch } from './programs.ts'

const START_MS = 120_000
const EVENT_LEADS = 30_000

interface Member {
  name: string
  role: string
  state: string
  timeline?: number
}

export class ClusterWorld {
  readonly folder: string = makeFolder()
  machines: ClusterMachine[] = []
  copies: Copies | undefined
  links: Links | undefined
  ask: ReturnType<typeof asker> | undefined
  /** Of HAProxy: for PostgreSQL's clients, and for the web. */
  ports = { sql: 0, web: 0 }
  #haproxy: ChildProcess | undefined

  static async open(): Promise<ClusterWorld> {
    ensurePrograms()
    const world = new ClusterWorld()
    process.once('exit', world.#abandon)
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(1))
    try {
      await world.#start()
      return world
    } catch (error) {
      await world.remove()
      throw error
    }
  }

  get databaseUrl(): string {
    return `postgres://afluente:${PASSWORD}@127.0.0.1:${this.ports.sql}/afluente`
  }

  /** As Patroni sees them; undefined while no machine answers. */
  async members(): Promise<Member[] | undefined> {
    for (const { ports } of this.machines) {
      const signal = AbortSignal.timeout(1_000)
      const found = await fetch(`http://127.0.0.1:${ports.rest}/cluster`, { signal })
        .then(async (answer) => ((await answer.json()) as { members?: Member[] }).members)
        .catch(() => undefined) // it is gone, or hangs
      if (found) return found
    }
    return undefined
  }

  async machineIn(...roles: string[]): Promise<ClusterMachine> {
    const members = await this.members()
    const found = members?.find(({ role }) => roles.includes(role))
    const machine = this.machines.find(({ name }) => name === found?.name)
    if (!machine) throw new Error(`No ${roles.join(' or ')}: ${JSON.stringify(members)}`)
    return machine
  }

  leader = (): Promise<ClusterMachine> => this.machineIn('leader')

  /** A primary and two standbys that follow it, one of which every commit waits for unless `synchronous` is false. */
  untilWhole({ synchronous = true } = {}): Promise<void> {
    return this.#until('three machines follow each other', (members) => {
      const running = members.filter(({ state }) => /running|streaming/.test(state))
      const has = (role: string) => running.some((member) => member.role === role)
      const timelines = new Set(running.map(({ timeline }) => timeline))
      return running.length === 3 && timelines.size === 1 && has('leader') && has('sync_standby') === synchronous
    })
  }

  untilLedByAnother({ name: old }: ClusterMachine): Promise<void> {
    return this.#until(`another than ${old} leads`, (members) =>
      members.some(({ role, state, name }) => role === 'leader' && state === 'running' && name !== old),
    )
  }

  async #until(what: string, isIt: (members: Member[]) => boolean): Promise<void> {
    let members: Member[] = []
    for (const late = Date.now() + START_MS; Date.now() < late; await wait(250)) {
      members = (await this.members()) ?? []
      if (isIt(members)) return
    }
    throw new Error(`Not in ${START_MS / 1000} s: ${what}, but ${JSON.stringify(members)}`)
  }

  /** Changes Patroni's settings for all. */
  async configure(settings: object): Promise<void> {
    const { ports } = await this.leader()
    const body = JSON.stringify(settings)
    const answer = await fetch(`http://127.0.0.1:${ports.rest}/config`, { method: 'PATCH', body })
    if (!answer.ok) throw new Error(`Patroni refused ${body}: ${answer.status}`)
  }

  #abandon = (): void => {
    for (const copy of this.copies ?? []) copy.kill()
    this.#haproxy?.kill('SIGKILL')
    for (const machine of this.machines) machine.abandon()
    removeFolder(this.folder)
  }

  mend(): void {
    for (const machine of this.machines) machine.mend(this.machines)
  }

  async remove(): Promise<void> {
    process.off('exit', this.#abandon)
    await Promise.all(this.copies?.map((copy) => copy.stop()) ?? [])
    if (this.#haproxy) await end(this.#haproxy)
    // PostgreSQL's standbys before their primary would keep it waiting.
    await Promise.all(this.machines.map((machine) => machine.stop()))
    removeFolder(this.folder)
  }

  async #start(): Promise<void> {
    for (const name of ['bd1', 'bd2', 'bd3']) this.machines.push(await ClusterMachine.prepare(name, this.folder))
    const [first, ...others] = this.machines
    for (const machine of this.machines)
      for (const { ports } of this.machines) machine.dcs.push(await Link.open(ports.etcd))
    try {
      first?.mountSmallDisk()
    } catch (error) {
      if (!(error instanceof NotRun)) throw error
    }
    for (const machine of this.machines) machine.startEtcd(this.machines)
    first?.startPatroni()
    await this.#until('there is a primary', (members) => members.some(({ role }) => role === 'leader'))
    for (const other of others) other.startPatroni()
    const ports = [await freePort(), await freePort()]
    this.ports = { sql: await freePort(), web: await freePort() }
    this.#startHaproxy(ports)
    await this.untilWhole()
    await this.#makeDatabase()
    this.copies = await startCopies(this.folder, this.databaseUrl, ports)
    const db = connect(this.databaseUrl, { max: 2 })
    this.links = await makeLinks(db)
    this.ask = asker(this.links, await makeLeads(db, this.links, EVENT_LEADS))
    await db.destroy()
  }

  #startHaproxy(copies: number[]): void {
    const databases = this.machines.map(({ clients: { sql, rest } }) => ({ sql: sql.port, rest: rest.port }))
    const file = join(this.folder, 'haproxy.cfg')
    writeFileSync(file, haproxyFile({ ...this.ports, databases, copies }))
    const log = join(this.folder, 'haproxy.log')
    this.#haproxy = launch('haproxy', ['-f', file], { account: accountFor(file), folder: this.folder, log })
  }

  /** The role of the product may make databases and roles, and is no superuser. */
  async #makeDatabase(): Promise<void> {
    const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${this.ports.sql}/postgres`
    const db = connect(url, { max: 1 })
    await sql`create role afluente login createrole password ${sql.lit(PASSWORD)}`.execute(db)
    await sql`create database afluente owner afluente`.execute(db)
    await db.destroy()
  }
}

import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { type Cluster, startCluster } from './cluster.ts'
import { migrate } from './migrate.ts'
import { isAlive, postgresOf, signal } from './processes.ts'
import { readyServerRole, serverUrlOf } from './server-role.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The owner's connection to the cluster of this run. */
    clusterUrl: string
  }
}

export const TEMPLATE = 'afluente_template'
/** Of the one role with which the servers of all tests work. */
export const SERVER_SECRET = 'tests'

const PREFIX = 'afluente-test-'
const QUICK = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

const MEMORY = '/dev/shm'
/** Of this much, all tests at once need a part. */
const ROOM = 4 * 2 ** 30

/** Where what is temporary is made: in memory where there is room, since each database of a test is hundreds of files. */
export function temporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return Math.min(bavail * bsize, freemem()) > ROOM ? MEMORY : tmpdir()
  } catch {
    return tmpdir() // a system without such a folder
  }
}

/** Removes the folders of killed runs; the process number is in their name. */
function sweep(root: string): void {
  for (const name of readdirSync(root)) {
    const owner = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split('-')[0]) : 0
    if (!owner || isAlive(owner)) continue
    const folder = join(realpathSync(root), name)
    for (const pid of postgresOf(join(folder, 'postgres'), undefined)) signal(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

type TemporaryCluster = Cluster & { dataDir: string }

/** A cluster without durability, quick because nothing needs to reach the disk. */
export async function startTemporaryCluster(log: (message: string) => void = () => {}): Promise<TemporaryCluster> {
  const root = temporaryFolder()
  for (const each of new Set([root, tmpdir()])) sweep(each)
  const dataDir = mkdtempSync(join(root, `${PREFIX}${process.pid}-`))
  chmodSync(dataDir, 0o711)
  const remove = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  const cluster = await startCluster({ dataDir, flags: QUICK, log }).catch((error) => {
    remove()
    throw error
  })
  const atExit = () => {
    cluster.kill()
    remove()
  }
  process.once('exit', atExit)
  const stop = async () => {
    process.off('exit', atExit)
    await cluster.stop()
    remove()
  }
  return { ...cluster, dataDir, stop }
}

async function makeTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  const template = new URL(url)
  template.pathname = `/${TEMPLATE}`
  await migrate(template.href)
  await client.query(`alter database ${TEMPLATE} is_template true allow_connections false`)
  await client.end()
}

/** Proving one takes a hash a thousand times over, for each of the thousands of connections of a run. */
async function cheapenPasswords(ownerUrl: string, serverUrl: string): Promise<void> {
  const { username, password } = new URL(ownerUrl)
  const { searchParams: server } = new URL(serverUrl)
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query('set scram_iterations = 1')
  for (const [name, secret] of [
    [username, decodeURIComponent(password)],
    [server.get('user') ?? '', server.get('password') ?? ''],
  ] as const)
    await client.query(`alter role ${client.escapeIdentifier(name)} password ${client.escapeLiteral(secret)}`)
  await client.end()
}

/** One of any version, without databases of ours, whose superuser this is: for tests on the oldest that we support. */
function given(): Pick<Cluster, 'url' | 'stop'> | undefined {
  const url = process.env.TEST_DATABASE_URL
  return url ? { url, stop: () => dropTemplate(url) } : undefined
}

async function dropTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`alter database ${TEMPLATE} is_template false`)
  await client.query(`drop database ${TEMPLATE}`)
  await client.end()
}

/** Runs once before all tests of a run; the returned function after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const own = given()
  const cluster = own ?? (await startTemporaryCluster())
  await makeTemplate(cluster.url)
  const ownerUrl = cluster.url
  const serverUrl = serverUrlOf(ownerUrl, SERVER_SECRET)
  await readyServerRole({ ownerUrl, serverUrl, isOurs: true })
  if (!own) await cheapenPasswords(ownerUrl, serverUrl)
  project.provide('clusterUrl', cluster.url)
  return () => cluster.stop()
}

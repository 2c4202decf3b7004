import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { sharedBuffers } from './boot.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { OperatorError } from './operator-error.ts'
import { apart } from './processes.testing.ts'
import { gone, isAlive, postgresOf, signal } from './processes.ts'

const QUICK = { fsync: 'off', full_page_writes: 'off' }

/** Of all tests: made once by a first start, and at rest between them. */
let home: string
/** The folder of this test. */
let dataDir: string
let log: string[]
const running: Cluster[] = []

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cluster-')))
  chmodSync(folder, 0o711)
  return join(folder, 'data')
}

const removeFolder = (folder: string) => rmSync(join(folder, '..'), { recursive: true, force: true, maxRetries: 5 })

beforeAll(async () => {
  home = makeFolder()
  leaveHalfMade(home)
  const cluster = await startCluster({ dataDir: home, flags: QUICK, log: () => {} })
  await query(cluster.url, 'create table kept (id int); insert into kept values (7)')
  await cluster.stop()
})
afterAll(() => removeFolder(home))

beforeEach(() => {
  dataDir = home
  log = []
})
afterEach(async () => {
  for (const cluster of running.splice(0)) await cluster.stop()
})

/** For a test that needs a folder without a cluster. */
function useEmpty(): void {
  dataDir = makeFolder()
  onTestFinished(() => removeFolder(dataDir))
}

/** As a first start that was killed. */
function leaveHalfMade(folder: string): void {
  mkdirSync(join(folder, 'postgres.making'), { recursive: true })
  writeFileSync(join(folder, 'postgres.making/PG_VERSION'), '18\n')
  chmodSync(folder, 0o711)
}

async function start(options: { port?: number; flags?: Record<string, string> } = {}): Promise<Cluster> {
  const cluster = await startCluster({ dataDir, flags: QUICK, log: (line) => log.push(line), ...options })
  running.push(cluster)
  return cluster
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Another process that runs the cluster, as a server would; it prints PostgreSQL's number, or why it did not start. */
async function startElsewhere(prefix: string[] = []): Promise<{ child: ChildProcess; postgres: number; said: string }> {
  const program = `
    import { startCluster } from ${JSON.stringify(join(import.meta.dirname, 'cluster.ts'))}
    const options = { dataDir: ${JSON.stringify(dataDir)}, flags: ${JSON.stringify(QUICK)}, log: () => {} }
    const cluster = await startCluster(options).catch(({ message }) => message)
    process.stdout.write(String(cluster.pid?.() ?? cluster))
    if (cluster.pid) setInterval(() => {}, 1000)`
  const [command = '', ...args] = [...prefix, process.execPath, '--input-type=module-typescript', '-e', program]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: import.meta.dirname })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    const left = postgresOf(join(home, 'postgres'), undefined)
    for (const pid of left) signal(pid, 'SIGKILL')
    expect(await gone(left, 60_000)).toBe(true)
  })
  const said = String((await once(child.stdout, 'data'))[0])
  return { child, postgres: Number(said), said }
}

const postmasterFile = () => readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8')

test('starts, keeps its data and its password over a restart, and stops', async () => {
  const first = await start()
  await running.pop()?.stop()
  expect(isAlive(first.pid())).toBe(false)
  const second = await start()
  expect(new URL(second.url).password).toBe(new URL(first.url).password)
  expect(await query(second.url, 'select id from kept')).toEqual([{ id: 7 }])
  expect(statSync(join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600)
})

test('caches as much of its files as the machine can spare', () => {
  const gigabyte = 2 ** 30
  expect([0.5, 2, 4, 64].map((memory) => sharedBuffers(memory * gigabyte))).toEqual([
    '128MB',
    '256MB',
    '512MB',
    '1024MB',
  ])
})

describe('as an operator starts it', () => {
  let url: string
  beforeAll(async () => {
    const cluster = await startCluster({ dataDir: home, log: () => {} })
    url = cluster.url
    return () => cluster.stop()
  })

  test('its log names a refused row by its rule, never by its values', async () => {
    await query(url, 'create table person (email text constraint person_email_key unique check (length(email) > 3))')
    await query(url, "insert into person values ('ana@privado.mx')")
    await expect(query(url, "insert into person values ('ana@privado.mx')")).rejects.toThrow('person_email_key')
    await expect(query(url, "insert into person values ('ana')")).rejects.toThrow('person_email_check')
    const written = readFileSync(join(dataDir, 'postgres.log'), 'utf8')
    expect(written).toContain('person_email_key')
    expect(written).toContain('person_email_check')
    expect(written).not.toMatch(/ana@privado|'ana'|\(ana\)/)
  })

  test('serves loopback only, asks for the password, and is durable by default', async () => {
    const settings = `select current_setting('listen_addresses') as address, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit, current_setting('full_page_writes') as pages,
      current_setting('server_encoding') as encoding, current_setting('TimeZone') as zone, lower('ÁRBOL Ñ') as folded`
    expect(await query(url, settings)).toEqual([
      {
        address: '127.0.0.1',
        fsync: 'on',
        commit: 'on',
        pages: 'on',
        encoding: 'UTF8',
        zone: 'UTC',
        folded: 'árbol ñ',
      },
    ])
    const stranger = new URL(url)
    stranger.password = 'wrong'
    await expect(query(stranger.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
  })

  test('no commit is answered before the log is flushed', async () => {
    const flushes = async () => {
      const [row] = await query(url, `select sum(fsyncs)::int as count from pg_stat_io where object = 'wal'`)
      return (row as { count: number }).count
    }
    await query(url, 'create table flushed (id int)')
    const before = await flushes()
    for (let id = 1; id <= 3; id += 1) await query(url, `insert into flushed values (${id})`)
    // A connection's statistics count when it ends.
    await vi.waitFor(async () => expect((await flushes()) - before).toBeGreaterThanOrEqual(3), 60_000)
  })
})

test('restarts a killed PostgreSQL on the same port', async () => {
  const cluster = await start()
  const before = cluster.pid()
  process.kill(before, 'SIGKILL')
  const rows = () => query(cluster.url, 'select id from kept').catch(() => undefined)
  await expect.poll(rows, { timeout: 60_000 }).toEqual([{ id: 7 }])
  expect(cluster.pid()).not.toBe(before)
  expect(log).toContain('PostgreSQL terminó de improviso: se vuelve a iniciar.')
})

test('takes over from a killed server whose PostgreSQL still runs', async () => {
  const { child, postgres } = await startElsewhere()
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isAlive(postgres)).toBe(true)
  const { url } = await start()
  expect(isAlive(postgres)).toBe(false)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('takes over when server and PostgreSQL were both killed', async () => {
  const { child, postgres } = await startElsewhere()
  child.kill('SIGKILL')
  process.kill(postgres, 'SIGKILL')
  await once(child, 'exit')
  const { url } = await start()
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a second server on the same folder is refused, also one that cannot see the first one, as in another container', async () => {
  const { url } = await start()
  const before = postmasterFile()
  const inUse = `ya está en uso por otro Afluente en marcha (proceso ${process.pid} en ${hostname()})`
  await expect(start()).rejects.toThrow(inUse)
  // Where no process can be hidden from another one, the second is at least another process.
  const { said } = await startElsewhere(apart())
  expect(said).toContain(inUse)
  expect([postmasterFile(), await query(url, 'select id from kept')]).toEqual([before, [{ id: 7 }]])
})

test('nobody starts over a PostgreSQL that a killed server left and that cannot be seen', async () => {
  const { child, postgres } = await startElsewhere()
  child.kill('SIGKILL')
  await once(child, 'exit')
  const before = postmasterFile()
  const namespace = apart()
  if (namespace) {
    const { said } = await startElsewhere(namespace)
    expect(said).toContain('Un PostgreSQL que no se ve desde aquí')
    expect([postmasterFile(), isAlive(postgres)]).toEqual([before, true])
  }
  process.kill(postgres, 'SIGKILL')
  expect(await gone([postgres], 60_000)).toBe(true)
  // Only the lock tells that something still uses the data.
  const holder = spawn('flock', [join(dataDir, 'postmaster.lock'), 'sh', '-c', 'echo locked; exec sleep 100'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  await once(holder.stdout, 'data')
  await expect(start()).rejects.toMatchObject({
    mayPass: true,
    message: expect.stringContaining('no se ve desde aquí'),
  })
  expect(postmasterFile()).toBe(before)
  const freed = once(holder, 'exit')
  process.kill(-(holder.pid ?? 0), 'SIGKILL')
  await freed
  const { url } = await start()
  expect(await query(url, 'select id from kept')).toEqual([{ id: 7 }])
})

test('a first run killed half-way was in nobody’s way', () => {
  expect(existsSync(join(home, 'postgres.making'))).toBe(false)
  expect(existsSync(join(home, 'postgres/PG_VERSION'))).toBe(true)
})

test('a folder that holds something else is left alone', async () => {
  useEmpty()
  mkdirSync(join(dataDir, 'postgres'), { recursive: true })
  writeFileSync(join(dataDir, 'postgres/notes.txt'), 'mine')
  await expect(start()).rejects.toThrow('no contiene una base de datos completa')
  expect(readFileSync(join(dataDir, 'postgres/notes.txt'), 'utf8')).toBe('mine')
})

test('a folder that cannot be used is named with its reason', async () => {
  useEmpty()
  writeFileSync(dataDir, 'a file')
  const refusal = await start().catch((error) => error)
  expect(refusal).toBeInstanceOf(OperatorError)
  expect(refusal.message).toContain(`No se puede usar la carpeta de datos ${dataDir}`)
})

test('a port that is taken is named', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await expect(start({ port })).rejects.toThrow(`El puerto ${port} de la base de datos está ocupado`)
  other.close()
})

test.runIf(process.getuid?.() === 0)('works as root below a folder that others cannot enter', async () => {
  chmodSync(join(home, '..'), 0o700)
  onTestFinished(() => chmodSync(join(home, '..'), 0o711))
  const { url, pid } = await start()
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(statSync(`/proc/${pid()}`).uid).not.toBe(0)
})

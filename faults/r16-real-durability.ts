import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { Connection, statusOf } from '#bench/clicks/load.ts'
import { clickOf } from '#bench/clicks/world.ts'
import { type Figures, promise } from '#bench/figures.ts'
import { connect, type Db } from '#db/connect.ts'
import { end, freePort } from '#db/processes.testing.ts'
import type { Fault } from './fault.ts'
import { metricsAt } from './metrics.ts'
import type { Supervised } from './supervised.ts'
import { logFlushes } from './wal.ts'
import { type FaultWorld, inWorld } from './world.ts'

const CLICKS = 300
const CROWD = 64
/** Concurrent INSERTs of the server, whose commits may share a flush. */
const IN_FLIGHT = 3

/** A kill spares the kernel's page cache, so only flushes show whether a lost machine would lose clicks. */
export const fault: Fault = {
  id: 'R16',
  title: 'what is acknowledged was flushed to the disk before',
  run: ({ short, say }) =>
    inWorld({ eventLeads: 0 }, async (world) => {
      const clicks = short ? 20 : CLICKS
      const owner = connect(world.databaseUrl(), { max: 2 })
      try {
        await expectDurable(owner)
        const figures: Figures = {}
        Object.assign(figures, await oneByOne(world, owner, clicks))
        say(`one after another: ${JSON.stringify(figures)}`)
        Object.assign(figures, await manyAtOnce(world, owner, clicks * 20))
        say(`many at once: ${JSON.stringify(figures)}`)
        Object.assign(figures, await toTheSpool(world, owner, clicks))
        say(`to the spool: ${JSON.stringify(figures)}`)
        await expectUnready(world, owner)
        return figures
      } finally {
        await owner.destroy()
      }
    }),
}

async function expectDurable(owner: Db): Promise<void> {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit')`.execute(
    owner,
  )
  for (const { name, setting } of rows) promise(setting === 'on', `${name} is not on`, { setting })
}

/** Clicks on one connection, each sent after the answer to the one before. */
async function click({ port }: Supervised, { links }: FaultWorld, mark: string, count: number): Promise<void> {
  const next = clickOf(links, mark)
  const connection = new Connection(port)
  for (let number = 1; number <= count; number += 1) {
    const status = statusOf(await connection.ask(next(number)))
    promise(status === '302', 'A click was not stored', { status, number })
  }
  connection.end()
}

/** The number of flushes, once the server has stopped and all are counted. */
async function flushesOf(server: Supervised, owner: Db, run: () => Promise<void>): Promise<number> {
  const before = await logFlushes(owner)
  await run()
  await server.stop()
  return (await logFlushes(owner)) - before
}

async function oneByOne(world: FaultWorld, owner: Db, clicks: number): Promise<Figures> {
  const server = await world.start()
  const flushes = await flushesOf(server, owner, () => click(server, world, 'one', clicks))
  const figures = { 'clicks one by one': clicks, flushes }
  promise(flushes >= clicks, 'Clicks were answered without a flush of the log', figures)
  return figures
}

async function manyAtOnce(world: FaultWorld, owner: Db, clicks: number): Promise<Figures> {
  const port = await freePort()
  const server = await world.start({ METRICS_PORT: String(port) })
  let statements = 0
  const flushes = await flushesOf(server, owner, async () => {
    const each = Math.ceil(clicks / CROWD)
    await Promise.all(Array.from({ length: CROWD }, (_, index) => click(server, world, `many${index}`, each)))
    statements = await metricsAt(port)('afluente_click_batch_leads_count')
  })
  const figures = { 'clicks at once': clicks, statements, 'flushes at once': flushes }
  promise(statements > 0 && flushes * IN_FLIGHT >= statements, 'Commits were not flushed', figures)
  return figures
}

/** Traces the flushes of the server's own files; undefined where tracing is not allowed. */
async function follow(pid: number, log: string): Promise<ChildProcess | undefined> {
  if (spawnSync('strace', ['-V']).error) return undefined
  const tracer = spawn('strace', ['-f', '-e', 'trace=fdatasync,fsync', '-o', log, '-p', String(pid)])
  const ready = once(tracer.stderr, 'data').then(([text]) => /attached/.test(String(text)))
  if (await Promise.race([ready, wait(5_000, false)])) return tracer
  tracer.kill()
  return undefined
}

/** Runs while leads cannot be written. */
async function toTheSpool(world: FaultWorld, owner: Db, clicks: number): Promise<Figures> {
  const server = await world.start()
  // A link never followed needs a query, which the lock does not stop.
  await click(server, world, 'known', 8)
  const log = join(world.folder, 'flushes')
  const tracer = await follow(server.pid, log)
  if (!tracer) return { 'flushes of the spool': 'not counted: strace cannot follow a process here' }
  await owner.transaction().execute(async (tx) => {
    await sql`lock table lead`.execute(tx)
    await click(server, world, 'spool', clicks)
  })
  await end(tracer, 'SIGINT')
  await server.stop()
  const flushes = readFileSync(log, 'utf8').split(/fdatasync\(|fsync\(/).length - 1
  const figures = { 'clicks to the spool': clicks, 'flushes of the spool': flushes }
  promise(flushes >= clicks, 'Clicks were answered without a flush of the spool', figures)
  return figures
}

/** With a database without durability the server is not ready, from its first answer on. */
async function expectUnready(world: FaultWorld, owner: Db): Promise<void> {
  const server = await world.start()
  await sql`alter database afluente set synchronous_commit = off`.execute(owner)
  await server.kill()
  const read = async () => (await fetch(`http://127.0.0.1:${server.port}/readyz`).catch(() => undefined))?.text()
  let said: string | undefined
  for (const late = Date.now() + 20_000; Date.now() < late && (!said || said.includes('starting')); await wait(50))
    said = await read() // undefined until it listens
  promise(said?.includes('"reasons":["durability"]') === true, 'A forgetful database was called ready', {
    said: said ?? 'nothing',
  })
  await sql`alter database afluente reset synchronous_commit`.execute(owner)
}

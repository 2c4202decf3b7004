import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Figures, promise } from '#bench/figures.ts'
import type { Client } from '#bench/journal/client.ts'
import { percentile } from '#bench/measure.ts'
import { connect, type Db } from '#db/connect.ts'
import { freePort } from '#db/processes.testing.ts'
import type { DatabaseProxy } from '#server/spool/database-proxy.testing.ts'
import type { Fault, Options } from './fault.ts'
import { metricsAt, type ReadMetric, untilDrained } from './metrics.ts'
import { onlyUnavailable, refusedClicks } from './refusals.ts'
import { behindProxy } from './world.ts'

/** How long a click waits for the database, and then for the disk. */
const CLICK_MS = 300 + 50
/** How long an answer of the API waits for a statement, and before for a free connection. */
const API_MS = 25_000
const LAG_SECONDS = 0.05

interface Phase {
  name: string
  seconds: number
  /** Returns a function that ends it. */
  begin: () => Promise<() => Promise<void>>
}

const slowed = (proxy: DatabaseProxy, milliseconds: number, seconds: number): Phase => ({
  name: `answers ${milliseconds / 1000} s late`,
  seconds,
  begin: async () => {
    proxy.delay(milliseconds)
    return async () => proxy.delay(0)
  },
})

/** Leads can be neither written nor locked for their events: each attempt holds a connection until it is cancelled. */
const locked = (db: Db, seconds: number): Phase => ({
  name: 'leads locked',
  seconds,
  begin: async () => {
    const tx = await db.startTransaction().execute()
    await sql`lock table lead in exclusive mode`.execute(tx)
    return async () => void (await tx.rollback().execute())
  },
})

interface Watched {
  client: Client
  read: ReadMetric
  say: Options['say']
}

async function measurePhase({ name, seconds, begin }: Phase, { client, read, say }: Watched): Promise<Figures> {
  client.latencies = []
  await read('nodejs_eventloop_lag_max_seconds') // reading resets it
  const end = await begin()
  await wait(seconds * 1000)
  const lag = await read('nodejs_eventloop_lag_p99_seconds')
  const p99 = Math.round(percentile(client.latencies, 0.99))
  await end()
  await untilDrained(read)
  say(
    `${name}: click p99 ${p99} ms, event loop p99 ${Math.round(lag * 1000)} ms late; ${JSON.stringify(client.outcomes)}`,
  )
  return { [`${name}: click p99 ms`]: p99, [`${name}: loop lag p99 ms`]: Math.round(lag * 1000) }
}

const phasesOf = (proxy: DatabaseProxy, db: Db, short: boolean): Phase[] =>
  short
    ? [slowed(proxy, 1_000, 1.5)]
    : [slowed(proxy, 300, 15), slowed(proxy, 1_000, 15), slowed(proxy, 5_000, 15), locked(db, 20)]

export const fault: Fault = {
  id: 'R6',
  title: 'the database is slow',
  run: ({ short, say, world: given }) =>
    behindProxy({ small: short, world: given }, async (world, proxy) => {
      const metricsPort = await freePort()
      const server = await world.start({ METRICS_PORT: String(metricsPort) })
      const db = connect(world.databaseUrl(), { max: 1 })
      const load = await world.load(server, { clicks: short ? 50 : 200, events: 10, patienceMs: 60_000 })
      await wait(1_000)
      const watched = { client: load.client, read: metricsAt(metricsPort), say }
      const phases = phasesOf(proxy, db, short)
      let times: Figures = {}
      for (const phase of phases) times = { ...times, ...(await measurePhase(phase, watched)) }
      await db.destroy()
      const stored = await load.check()
      const slowest = Math.round(load.client.slowest.event)
      const figures = { ...stored, ...load.client.failures, ...times, 'slowest event answer ms': slowest }
      promise(server.starts === 1, 'The server ended', figures)
      promise(refusedClicks(load.client, short) === 0, 'Clicks were refused', figures)
      promise(onlyUnavailable(load.client, short), 'A slow database was answered otherwise than 503', figures)
      if (!short) expectInTime(times, slowest, figures)
      return figures
    }),
}

function expectInTime(times: Figures, slowest: number, figures: Figures): void {
  for (const [name, value] of Object.entries(times)) {
    const limit = name.includes('click') ? CLICK_MS : LAG_SECONDS * 1000
    promise(Number(value) <= limit, `${name} ${value} is more than ${limit}`, figures)
  }
  promise(slowest <= API_MS, 'The API let somebody wait too long', figures)
}

import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { Connection, statusOf } from '#bench/clicks/load.ts'
import { clickOf, eventOf } from '#bench/clicks/world.ts'
import { type Figures, promise } from '#bench/figures.ts'
import { connect } from '#db/connect.ts'
import type { Fault } from './fault.ts'
import { onlyUnavailable } from './refusals.ts'
import { SmallDisk } from './small-disk.ts'
import type { Supervised } from './supervised.ts'
import { type FaultWorld, inWorld } from './world.ts'

const MEGABYTES = 256
const RATES = { clicks: 150, events: 5 }
const BACK_MS = 30_000
/** How long clicks need to fill the smallest spool. */
const SPOOL_MS = 60_000

interface Place {
  name: string
  /** The mount point of the small disk. */
  of: (world: FaultWorld) => string
  spoolMegabytes: number
  /** The reason in `/readyz` while it is full. */
  reason: string
  /** Clicks are refused at last, since the spool fills up, too. */
  refuses: boolean
}

const places: Place[] = [
  { name: 'everything', of: ({ dataDir }) => dataDir, spoolMegabytes: 1, reason: 'database disk', refuses: true },
  {
    name: 'the log of the database',
    of: ({ dataDir }) => join(dataDir, 'postgres/pg_wal'),
    spoolMegabytes: 64,
    reason: 'database disk',
    refuses: false,
  },
]

export const fault: Fault = {
  id: 'R5',
  title: 'the disk is full: all of it, that of the log, that of the spool',
  run: async ({ short, say }) => {
    const figures: Figures = {}
    for (const place of places) {
      Object.assign(figures, await fillDisk(place, short ? 3_000 : 20_000))
      say(JSON.stringify(figures))
    }
    Object.assign(figures, await fillSpool())
    return figures
  },
}

/** Runs with the small disk mounted before the server starts. */
async function onSmallDisk<T>(
  of: Place['of'],
  megabytes: number,
  run: (world: FaultWorld, disk: SmallDisk) => Promise<T>,
): Promise<T> {
  return inWorld({ embedded: true, eventLeads: 5_000 }, async (world) => {
    const disk = new SmallDisk(of(world), megabytes)
    try {
      return await run(world, disk)
    } finally {
      // Otherwise the disk could not be unmounted.
      await world.stop()
      disk.unmount()
    }
  })
}

const inSeconds = (milliseconds: number) => Number((milliseconds / 1000).toFixed(1))

const reasonsOf = async (port: number): Promise<string[]> => {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
  return answer.status === 200 ? [] : ((await answer.json()).reasons ?? [])
}

/** Polls until the server is in that state; returns its last answer. */
async function untilReasons(port: number, wanted: (reasons: string[]) => boolean, what: string): Promise<string> {
  let reasons: string[] = []
  for (const end = Date.now() + BACK_MS; Date.now() < end; await wait(200)) {
    reasons = await reasonsOf(port)
    if (wanted(reasons)) return reasons.join(', ')
  }
  throw new Error(`${what}: ${reasons.join(', ')}`)
}

async function fillDisk({ name, of, spoolMegabytes, reason, refuses }: Place, fullFor: number): Promise<Figures> {
  return onSmallDisk(of, MEGABYTES, async (world, disk) => {
    const server = await world.start({ SPOOL_MB: String(spoolMegabytes) })
    const { client, check } = await world.load(server, RATES)
    await wait(2_000)
    disk.fill()
    await useUpLog(world.databaseUrl())
    const said = await untilReasons(server.port, (reasons) => reasons.includes(reason), 'Nobody hears of the full disk')
    await wait(fullFor)
    for (const end = Date.now() + SPOOL_MS; refuses && !client.refused('click') && Date.now() < end; ) await wait(100)
    if (refuses)
      await untilReasons(server.port, (reasons) => reasons.includes('spool full'), 'Nobody hears of the spool')
    const refusal = await refusalOf(server, world, refuses)
    const refused = { ...client.outcomes }
    disk.free()
    const freed = performance.now()
    const served = await Promise.all([
      client.untilAcknowledged('click', freed),
      client.untilAcknowledged('event', freed),
    ])
    await untilReasons(server.port, (reasons) => reasons.length === 0, 'It is not ready again')
    const ready = performance.now()
    const stored = await check()
    promise(server.starts === 1, 'The server ended', { starts: server.starts })
    promise(onlyUnavailable(client), 'Somebody was told something else', refused)
    const kept = Object.entries(refused).map(([outcome, count]) => `${count} × ${outcome}`)
    return {
      [name]: kept.join(', '),
      [`${name}: says`]: said,
      [`${name}: refuses`]: refusal,
      [`${name}: served again s`]: inSeconds(Math.max(...served) - freed),
      [`${name}: ready again s`]: inSeconds(ready - freed),
      [`${name}: acknowledged`]: Number(stored.acknowledged) + Number(stored['events acknowledged']),
      [`${name}: lost`]: Number(stored.lost),
    }
  })
}

/** Writes until PostgreSQL needs the next WAL segment, for which there is no room. */
async function useUpLog(databaseUrl: string): Promise<void> {
  const owner = connect(databaseUrl, { max: 1, onError: () => undefined })
  try {
    for (let piece = 0; piece < 40; piece += 1)
      await sql`select pg_logical_emit_message(true, 'full', ''), pg_switch_wal()`.execute(owner)
  } catch {
    // The expected end.
  } finally {
    await owner.destroy()
  }
}

/** How a click and an event are refused; a refusal has Retry-After. */
async function refusalOf({ port }: Supervised, { links, eventLeads }: FaultWorld, clicks: boolean): Promise<string> {
  const asks = [
    eventOf(links, eventLeads.at(-1) ?? '', 'full'),
    // Without an id of ours: it is in no journal, and may have been stored despite the refusal.
    ...(clicks ? [clickOf(links, 'full')(1).replace(/external_id=[^&]+&/, '')] : []),
  ]
  const told: string[] = []
  for (const text of asks) {
    const connection = new Connection(port)
    const head = await connection.ask(text)
    connection.end()
    told.push(`${statusOf(head)} Retry-After ${/^retry-after: (\d+)/im.exec(head)?.[1]}`)
  }
  promise(
    told.every((text) => /^503 Retry-After \d+$/.test(text)),
    'It was refused otherwise',
    { told: told.join() },
  )
  return told.join(', ')
}

const SPOOL_DISK = 16

/** A spool without space, with a database that is fast, then slow. */
function fillSpool(): Promise<Figures> {
  return onSmallDisk(
    ({ dataDir }) => join(dataDir, 'spool'),
    SPOOL_DISK,
    async (world, disk) => {
      disk.fill()
      const server = await world.start({ SPOOL_MB: '8' }, 'listening')
      const said = await untilReasons(server.port, (reasons) => reasons.join() === 'spool disk', 'Nobody hears of it')
      const { client, check } = await world.load(server, { clicks: RATES.clicks })
      await client.untilAcknowledged('click', performance.now())
      const refusal = await whileLocked(world, async () => {
        for (const end = Date.now() + BACK_MS; !client.failed.length && Date.now() < end; ) await wait(50)
        return refusalOf(server, world, true)
      })
      disk.free()
      await untilReasons(server.port, (reasons) => reasons.length === 0, 'It is not ready again')
      await whileLocked(world, () => client.untilAcknowledged('click', performance.now()))
      const stored = await check()
      return {
        'the spool: says': said,
        'the spool: refuses, while the database hangs': refusal,
        'the spool': Object.entries(client.outcomes)
          .map(([outcome, count]) => `${count} × ${outcome}`)
          .join(', '),
        'the spool: acknowledged': Number(stored.acknowledged),
        'the spool: lost': Number(stored.lost),
      }
    },
  )
}

async function whileLocked<T>(world: FaultWorld, run: () => Promise<T>): Promise<T> {
  const owner = connect(world.databaseUrl(), { max: 1 })
  try {
    return await owner.transaction().execute(async (tx) => {
      await sql`lock table lead`.execute(tx)
      return run()
    })
  } finally {
    await owner.destroy()
  }
}

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { SECRET } from '#bench/clicks/world.ts'
import { type Figures, promise } from '#bench/figures.ts'
import type { Load } from '#bench/journal/load.ts'
import { freePort } from '#db/processes.testing.ts'
import { ensureParts, type Parts } from './debian.ts'
import type { Fault, Options } from './fault.ts'
import { Machine, makeDisk, readDisk } from './machine.ts'
import { metricsAt, untilDrained } from './metrics.ts'
import { type FaultWorld, inWorld } from './world.ts'

const ROOT = join(import.meta.dirname, '..')
const CODE = join(ROOT, 'node_modules/.cache/afluente')
const DISK_MEGABYTES = 1_024
/** An emulated processor needs minutes for what a real one does in a second. */
const START_MS = 600_000
const RATES = { clicks: 20, events: 2 }
const LOADED_MS = 12_000
const [PORT, METRICS_PORT] = [3000, 3001]

/** What PostgreSQL does when the power is cut. */
type Database = 'runs' | 'is stopped'
const LONG: Database[] = ['runs', 'is stopped', 'runs']

export const fault: Fault = {
  id: 'R16.2',
  title: 'the plug of the whole machine is pulled under load',
  run: ({ short, say }) => {
    const parts = ensureParts()
    return inWorld({ embedded: true, eventLeads: 1_000 }, (world) =>
      resetMachine(world, parts, short ? LONG.slice(0, 2) : LONG, say),
    )
  },
}

interface Guest {
  machine: Machine
  port: number
  metricsPort: number
}

/** The product of this checkout, with what it has stored so far on a disk of its own. */
async function makeGuest({ folder, dataDir }: FaultWorld, parts: Parts, disk: string): Promise<Guest> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  makeDisk(parts, disk, DISK_MEGABYTES, dataDir)
  mkdirSync(CODE, { recursive: true })
  const settings = {
    ...{ PATH: '/usr/bin:/bin', NODE_ENV: 'production', LOG_LEVEL: 'error', DATA_DIR: '/mnt', SECRET, DEMO: 0 },
    ...{ HOST: '0.0.0.0', PORT, METRICS_HOST: '0.0.0.0', METRICS_PORT, SPOOL_MB: 16 },
  }
  const env = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  const command = `cd ${ROOT} && exec env -i ${env.join(' ')} ${process.execPath} server/main.ts`
  const ports = { [port]: PORT, [metricsPort]: METRICS_PORT }
  return { machine: new Machine({ parts, folder, disk, ports, written: CODE, command }), port, metricsPort }
}

async function untilReady({ machine, port }: Guest): Promise<void> {
  let said = 'nothing'
  for (const late = Date.now() + START_MS; Date.now() < late; await wait(500)) {
    promise(machine.runs, 'The machine ended by itself', { said })
    // The emulator accepts connections before the server listens.
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(
      () => undefined,
    )
    if (answer?.status === 200) return
    said = (await answer?.text()) ?? said
  }
  throw new Error(`The machine does not serve: ${said}`)
}

interface Round {
  load: Load
  spooled: number
}

async function loadUntilReset(world: FaultWorld, guest: Guest, database: Database): Promise<Round> {
  const { machine, port, metricsPort } = guest
  const stopped = database === 'is stopped'
  // Earlier data must not be among what is lost.
  machine.tell('sync')
  const load = await world.load({ port }, RATES)
  await load.client.untilAcknowledged('event', performance.now())
  if (stopped) machine.tell('killall -STOP postgres')
  await wait(LOADED_MS)
  const spooled = stopped ? await metricsAt(metricsPort)('afluente_spool_records') : 0
  await machine.pullPlug()
  await load.client.stop()
  return { load, spooled }
}

async function resetMachine(
  world: FaultWorld,
  parts: Parts,
  databases: Database[],
  say: Options['say'],
): Promise<Figures> {
  const disk = join(world.folder, 'disk')
  const guest = await makeGuest(world, parts, disk)
  const rounds: Round[] = []
  try {
    for (const database of databases) {
      const at = performance.now()
      guest.machine.start()
      await untilReady(guest)
      say(`ready after ${Math.round((performance.now() - at) / 1000)} s`)
      const round = await loadUntilReset(world, guest, database)
      rounds.push(round)
      say(`plug pulled while PostgreSQL ${database}: ${JSON.stringify(round.load.client.outcomes)}`)
    }
  } finally {
    await guest.machine.pullPlug()
  }
  readDisk(parts, disk, world.dataDir)
  // The machine was off while its disk was copied, as the product wants to be told.
  rmSync(join(world.dataDir, 'server.lock'), { force: true })
  return compareAll(world, rounds)
}

/** Starts it on the host, with only the content of the machine's disk. */
async function compareAll(world: FaultWorld, rounds: Round[]): Promise<Figures> {
  const metricsPort = await freePort()
  const server = await world.start({ METRICS_PORT: String(metricsPort) })
  await server.untilReady()
  await untilDrained(metricsAt(metricsPort))
  const spooled = rounds.reduce((sum, round) => sum + round.spooled, 0)
  const figures: Figures = { resets: rounds.length, 'in the spool at a reset': spooled }
  for (const { load } of rounds)
    for (const [name, value] of Object.entries(await load.check()))
      figures[name] = Number(figures[name] ?? 0) + Number(value)
  promise(spooled > 0, 'No click waited in the spool when the plug was pulled', figures)
  return figures
}

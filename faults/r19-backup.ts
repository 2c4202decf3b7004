import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { Connection, statusOf } from '#bench/clicks/load.ts'
import { clickOf } from '#bench/clicks/world.ts'
import { promise } from '#bench/figures.ts'
import { compare, knownOf, storedClicks, storedEvents } from '#bench/journal/check.ts'
import { type Entry, readJournal } from '#bench/journal/journal.ts'
import type { Load } from '#bench/journal/load.ts'
import { startCluster } from '#db/cluster.ts'
import { connect, type Db } from '#db/connect.ts'
import { embeddedUrl } from '#db/embedded-url.ts'
import { whileLocked } from '#server/spool/locked.testing.ts'
import { readDrift } from '#server/totals/recount.ts'
import type { Fault } from './fault.ts'
import { type FaultWorld, inWorld } from './world.ts'

const LONG = { rounds: 5, clicks: 200, events: 10 }
const SHORT = { rounds: 1, clicks: 60, events: 5 }
const DRAIN_MS = 30_000
const CLICKS_BEFORE = 50

/** What an operator does: `npm run …` with a folder. `heard` gets all that it has said so far. */
async function command(name: string, folder: string, dataDir: string, heard: (said: string) => unknown = () => {}) {
  const child = spawn(process.execPath, [`scripts/${name}.ts`, folder], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
  })
  let said = ''
  child.stdout.on('data', (data) => {
    said += data
    heard(said)
  })
  const [code] = await once(child, 'close')
  promise(code === 0, `${name}: ${said}`, { code })
}

/** A backup while clicks arrive, of which the last are only in the spool until the command says `until`. */
async function backUp(world: FaultWorld, load: Load, folder: string, until: string): Promise<Entry[]> {
  const copying = Promise.withResolvers<void>()
  let [before, backup]: [Entry[], Promise<void>] = [[], Promise.resolve()]
  await whileLocked(world.databaseUrl(), async () => {
    await load.client.untilAcknowledged('click', performance.now())
    before = readJournal(load.journal.path)
    const heard = (said: string) => said.includes(until) && copying.resolve()
    backup = command('backup', folder, world.dataDir, heard)
    await Promise.race([copying.promise, backup])
  })
  await backup
  return before
}

/** Each row of the tables that only grow, as a sum of what it says. */
async function readRows(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ row: string }>`
    select md5(lead::text) as row from lead union all select md5(lead_event::text) from lead_event
    union all select md5(commission_entry::text) from commission_entry`.execute(db)
  return new Set(rows.map(({ row }) => row))
}

/** What the copy has before a server works on it is what the original has. */
async function expectSameRows(world: FaultWorld, restored: string): Promise<number> {
  const cluster = await startCluster({ dataDir: restored, log: () => undefined })
  const [copy, original] = [connect(cluster.url, { max: 1 }), connect(world.databaseUrl(), { max: 1 })]
  try {
    const [copied, all] = [await readRows(copy), await readRows(original)]
    const strange = [...copied].filter((row) => !all.has(row)).length
    promise(strange === 0, 'The copy has rows that the original does not have', { strange, rows: copied.size })
    return copied.size
  } finally {
    await Promise.all([copy.destroy(), original.destroy()])
    await cluster.stop()
  }
}

/** A server starts on the copy, which has what was acknowledged before the backup began, once. */
async function expectWhole(world: FaultWorld, load: Load, restored: string, before: Entry[]): Promise<void> {
  const server = await world.start({ DATA_DIR: restored })
  await expectTaken(server.port, world)
  const db = connect(embeddedUrl(restored), { max: 1 })
  try {
    const mark = `${basename(load.journal.path).replace('journal-', '')}-`
    const [clicks, events] = [knownOf(before, 'click'), knownOf(before, 'event')]
    const read = async () => ({
      ofClicks: compare('click', clicks, await storedClicks(db, mark)),
      ofEvents: compare('event', events, await storedEvents(db, mark)),
    })
    let found = await read()
    for (const end = Date.now() + DRAIN_MS; found.ofClicks.lost && Date.now() < end; await wait(100))
      found = await read()
    const { ofClicks, ofEvents } = found
    const figures = { lost: ofClicks.lost + ofEvents.lost, doubled: ofClicks.doubled + ofEvents.doubled }
    promise(!figures.lost && !figures.doubled, 'The copy has not what was acknowledged', figures)
    const drift = await readDrift(db)
    promise(drift.length === 0, 'The sums of the copy do not say what its rows say', { drift: drift.length })
  } finally {
    await db.destroy()
    await server.stop()
  }
}

async function expectTaken(port: number, { links }: FaultWorld): Promise<void> {
  const connection = new Connection(port)
  const head = await connection.ask(clickOf(links, 'restored')(1))
  connection.end()
  promise(statusOf(head) === '302', 'The restored server takes no click', { status: statusOf(head) })
}

export const fault: Fault = {
  id: 'R19',
  title: 'backup under load, restored elsewhere',
  run: ({ short, say, world: given }) =>
    inWorld({ embedded: true, small: short, world: given }, async (world) => {
      const { rounds, ...rates } = short ? SHORT : LONG
      const load = await world.load(await world.start(), rates)
      while (load.client.acknowledged < CLICKS_BEFORE) await wait(50)
      let rows = 0
      for (let round = 1; round <= rounds; round += 1) {
        const [folder, restored] = [join(world.folder, `backup-${round}`), join(world.folder, `restored-${round}`)]
        // They leave it before and after the database is copied.
        const before = await backUp(world, load, folder, round % 2 ? 'copiada' : 'Copiando')
        await command('backup-check', folder, world.dataDir)
        await command('restore', folder, restored)
        rows = await expectSameRows(world, restored)
        await expectWhole(world, load, restored, before)
        for (const each of [folder, restored]) rmSync(each, { recursive: true })
        say(`backup ${round}: ${rows} rows, ${knownOf(before, 'click').acknowledged.size} clicks before`)
      }
      return { backups: rounds, 'rows in the last': rows, ...(await load.check()), ...load.client.failures }
    }),
}

import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { makeLeads, makeLinks } from '../clicks/world.ts'
import { promise } from '../figures.ts'
import { readJournal } from '../journal/journal.ts'
import { asker, startLoad } from '../journal/load.ts'
import { Balancer } from './balancer.ts'
import type { Check } from './check.ts'
import { type CopiesWorld, openWorld } from './world.ts'

const KILLS = 6
const RATES = { clicks: 200, events: 10 }
const LOCKED_MS = 1_500

/** Acknowledged clicks that are not in the database. */
async function missing({ db }: CopiesWorld, journal: string): Promise<number> {
  const { rows } = await sql<{ id: string }>`select external_id as id from lead where external_id <> ''`.execute(db)
  const stored = new Set(rows.map(({ id }) => id))
  return readJournal(journal).filter((entry) => entry.what === 'answer' && entry.trackingId && !stored.has(entry.id))
    .length
}

/** For this long no lead can be stored, as in a busy database: clicks go to the spools. */
async function lockLeads({ db }: CopiesWorld, meanwhile: () => Promise<void>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`lock table lead in access exclusive mode`.execute(tx)
    await wait(LOCKED_MS)
    await meanwhile()
  })
}

async function run(world: CopiesWorld) {
  const links = await makeLinks(world.db)
  const leads = await makeLeads(world.db, links, 10_000)
  const ports = world.copies.map(({ port }) => port)
  const balancer = await Balancer.open(ports, 'roundrobin')
  const ground = { folder: world.folder, databaseUrl: () => world.databaseUrl, ask: asker(links, leads) }
  const load = await startLoad(ground, balancer.port, RATES)
  const waited: number[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const copy = world.copies[kill % 2] ?? world.copies[0]
    await wait(1_500)
    // Every other time with acknowledged clicks in its spool, which no other copy has.
    if (kill % 4 < 2) await lockLeads(world, () => copy.kill())
    else await copy.kill()
    await wait(1_500)
    waited.push(await missing(world, load.journal.path))
    await copy.start()
  }
  await wait(500)
  const stored = await load.check()
  const figures = {
    kills: KILLS,
    ...stored,
    'clicks answered otherwise': load.client.refused('click'),
    ...load.client.failures,
    'waited in the spool of the dead copy': waited.filter(Boolean).join(' + '),
    ...Object.fromEntries(
      ports.map((port, index) => [`connections to ${'ab'[index]}`, balancer.passed.get(port) ?? 0]),
    ),
  }
  promise(waited.some(Boolean), 'No copy died with clicks in its spool', figures)
  promise(!load.client.outcomes['click refused'], 'The balancer did not skip a dead copy', figures)
  await balancer.close()
  return figures
}

export const killed: Check = {
  name: 'killed',
  title: 'a copy killed under load loses nothing acknowledged; its spool is stored when it is back',
  run: async () => {
    const world = await openWorld()
    try {
      return await run(world)
    } finally {
      await world.remove()
    }
  },
}

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { type Figures, promise } from '#bench/figures.ts'
import { connect } from '#db/connect.ts'
import { CHANGES, type Change, SHORT_CHANGES } from './environment.ts'
import type { Fault } from './fault.ts'
import { onlyUnavailable, refusedClicks } from './refusals.ts'
import { type FaultWorld, inWorld } from './world.ts'

const LONG = { seconds: 20, clicks: [1, 200] }
const SHORT = { seconds: 1, clicks: [30] }

export const fault: Fault = {
  id: 'R22',
  title: 'the environment changes under a running server',
  run: ({ short, say, world: given }) =>
    inWorld({ small: short, world: given }, async (world) => {
      const { seconds, clicks } = short ? SHORT : LONG
      let figures: Figures = {}
      const changes = short ? SHORT_CHANGES : CHANGES
      for (const perSecond of clicks)
        for (const change of changes) {
          const stored = await tryOut(world, change, { perSecond, seconds, short })
          say(`${change.name}, ${perSecond} clicks a second: ${JSON.stringify(stored)}`)
          figures = addUp(figures, stored)
        }
      return { changes: changes.length * clicks.length, ...figures }
    }),
}

const addUp = (sums: Figures, more: Figures): Figures => {
  const names = [...new Set([...Object.keys(sums), ...Object.keys(more)])]
  return Object.fromEntries(names.map((name) => [name, Number(sums[name] ?? 0) + Number(more[name] ?? 0)]))
}

async function tryOut(
  world: FaultWorld,
  { name, prepare, make, refuses = false }: Change,
  { perSecond, seconds, short }: { perSecond: number; seconds: number; short: boolean },
): Promise<Figures> {
  const server = await world.start(await prepare?.(world))
  const elsewhere = new URL(world.databaseUrl())
  elsewhere.pathname = '/postgres'
  const owner = connect(elsewhere.href, { max: 1, applicationName: 'owner' })
  const inside = async (statement: RawBuilder<unknown>) => {
    const db = connect(world.databaseUrl(), { max: 1, applicationName: 'owner' })
    await statement.execute(db).finally(() => db.destroy())
  }
  const load = await world.load(server, { clicks: perSecond, events: 2, insist: true, patienceMs: 60_000 })
  // Every link was followed once before: one that the server never saw is a 503 until its target can be read.
  await wait(1_000 + (1_000 * world.links.relationships.length) / perSecond)
  const { rows } = await sql<{ usename: string }>`
    select usename from pg_stat_activity where application_name = 'afluente clicks'`.execute(owner)
  const putRight = await make({ owner, inside, login: rows[0]?.usename ?? '', server, world })
  await wait(seconds * 1_000)
  await putRight()
  await load.client.untilAcknowledged('event', performance.now())
  const stored = await load.check()
  await owner.destroy()
  const figures = { ...stored, ...load.client.failures }
  promise(server.starts === 1, `${name}: the server ended`, figures)
  promise(onlyUnavailable(load.client, short) || refuses, `${name}: something was answered otherwise than 503`, figures)
  promise(refuses || refusedClicks(load.client, short) === 0, `${name}: clicks were refused`, figures)
  await server.stop()
  promise(!setAside(world).length, `${name}: leads were set aside`, figures)
  return stored
}

const setAside = (world: FaultWorld): string[] =>
  readdirSync(join(world.dataDir, 'spool')).filter((file) => file === 'refused.jsonl')

import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { promise } from '#bench/figures.ts'
import { postgresOf, signal } from '#db/processes.ts'
import type { Fault } from './fault.ts'
import { refusedClicks } from './refusals.ts'
import { timesOf } from './times.ts'
import { inWorld } from './world.ts'

const LONG = { rounds: 40, pause: 3_000, clicks: 300, events: 10 }
const SHORT = { rounds: 2, pause: 500, clicks: 100, events: 5 }

/** The backends of the application, by their process titles. */
const backendsOf = (postgresFolder: string): number[] =>
  postgresOf(postgresFolder, undefined).filter((pid) => titleOf(pid).startsWith('postgres: afluente_server afluente '))

function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // gone meanwhile
  }
}

const anyOf = <T>(values: T[]): T | undefined => values[Math.floor(Math.random() * values.length)]

/** PostgreSQL then ends every connection and recovers, since the dead one may have corrupted shared memory. */
export const fault: Fault = {
  id: 'R2',
  title: 'a PostgreSQL backend is killed under load',
  run: ({ short, say, world: given }) =>
    inWorld({ embedded: true, small: short, world: given }, async (world) => {
      const { rounds, pause, clicks, events } = short ? SHORT : LONG
      const server = await world.start()
      const load = await world.load(server, { clicks, events, payments: true })
      const back: number[] = []
      let kills = 0
      while (kills < rounds) {
        await wait(pause)
        const victim = anyOf(backendsOf(world.postgresFolder))
        if (victim === undefined) continue
        const at = performance.now()
        signal(victim, 'SIGKILL')
        kills += 1
        back.push((await load.client.untilAcknowledged('event', at)) - at)
        say(`kill ${kills}: an event is stored after ${Math.round(back.at(-1) ?? 0)} ms`)
      }
      const figures = { kills, ...(await load.check()), ...load.client.failures, ...timesOf('next event', back) }
      promise(server.starts === 1, 'The server ended', figures)
      promise(refusedClicks(load.client, short) === 0, 'Clicks were refused', figures)
      return figures
    }),
}

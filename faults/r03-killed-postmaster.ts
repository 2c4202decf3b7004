import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Figures, promise } from '#bench/figures.ts'
import { freePort } from '#db/processes.testing.ts'
import { signal } from '#db/processes.ts'
import type { Fault } from './fault.ts'
import { metricsAt, untilDrained } from './metrics.ts'
import { refusedClicks } from './refusals.ts'
import { timesOf } from './times.ts'
import { inWorld } from './world.ts'

const BACK_MS = 5_000
const DRAINED_MS = 10_000
const LONG = { rounds: 20, pause: () => 2_000 + 2_000 * Math.random(), clicks: 300, events: 10 }
const SHORT = { rounds: 1, pause: () => 300, clicks: 50, events: 10 }

const postmasterOf = (postgresFolder: string): number =>
  Number(readFileSync(join(postgresFolder, 'postmaster.pid'), 'utf8').split('\n')[0])

/** The server's own PostgreSQL, which it starts again. */
export const fault: Fault = {
  id: 'R3',
  title: 'PostgreSQL as a whole is killed under load',
  run: ({ short, say, world: given }) =>
    inWorld({ embedded: true, small: short, world: given }, async (world) => {
      const { rounds, pause, clicks, events } = short ? SHORT : LONG
      const metricsPort = await freePort()
      const server = await world.start({ METRICS_PORT: String(metricsPort) })
      const load = await world.load(server, { clicks, events, payments: true })
      const [back, drained]: [number[], number[]] = [[], []]
      for (let round = 1; round <= rounds; round += 1) {
        await wait(pause())
        const at = performance.now()
        signal(postmasterOf(world.postgresFolder), 'SIGKILL')
        const stored = await load.client.untilAcknowledged('event', at)
        back.push(stored - at)
        await untilDrained(metricsAt(metricsPort))
        drained.push(performance.now() - stored)
        say(
          `kill ${round}: writes after ${Math.round(stored - at)} ms, spool empty ${Math.round(drained.at(-1) ?? 0)} ms later`,
        )
      }
      const stored = await load.check()
      const times = { ...timesOf('writes back', back), ...timesOf('then drained', drained) }
      const figures: Figures = { kills: rounds, ...stored, ...load.client.failures, ...times }
      promise(server.starts === 1, 'The server ended', figures)
      promise(refusedClicks(load.client, short) === 0, 'Clicks were refused', figures)
      if (!short) {
        promise(Number(figures['writes back p95 ms']) < BACK_MS, 'Writes came back too late', figures)
        promise(Number(figures['then drained worst ms']) < DRAINED_MS, 'The spool was drained too late', figures)
      }
      return figures
    }),
}

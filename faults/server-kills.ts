import { setTimeout as wait } from 'node:timers/promises'
import type { Figures } from '#bench/figures.ts'
import type { Options } from './fault.ts'
import { timesOf } from './times.ts'
import { inWorld } from './world.ts'

export interface Kills {
  rounds: number
  /** A second. */
  clicks: number
  events: number
  /** Milliseconds from one to the next. */
  pause: () => number
  /** The load goes on until this many clicks are acknowledged. */
  enough?: number
}

/** Kills a server, which leaves its own PostgreSQL running each time; it is started again at once. */
export const killServer = (
  { rounds, clicks, events, pause, enough = 0 }: Kills,
  { short, say, world: given }: Options,
): Promise<Figures> =>
  inWorld({ embedded: true, small: short, world: given }, async (world) => {
    const server = await world.start()
    const load = await world.load(server, { clicks, events, payments: true })
    const firsts: number[] = []
    let last = performance.now()
    for (let round = 1; round <= rounds; round += 1) {
      await wait(Math.max(1, last + pause() - performance.now()))
      const { at, gone } = await server.kill()
      last = gone
      const first = await load.client.untilAcknowledged('click', gone)
      firsts.push(first - at)
      say(`kill ${round}: first 302 after ${Math.round(first - at)} ms`)
    }
    while (load.client.acknowledged < enough) await wait(100)
    await server.untilReady()
    const stored = await load.check()
    return { kills: rounds, 'clicks a second': clicks, ...stored, ...timesOf('first 302', firsts) }
  })

import { setTimeout as wait } from 'node:timers/promises'
import { type Fault, type Figures, promise } from './fault.ts'
import { timesOf } from './times.ts'
import { inWorld } from './world.ts'

const FIRST_MS = 1_000
const LONG = { rounds: 50, enough: 100_000, clicks: 700, events: 10, pause: () => 1_000 + 4_000 * Math.random() }
const SHORT = { rounds: 2, enough: 0, clicks: 100, events: 5, pause: () => 300 }

/** With its own PostgreSQL, which the killed server leaves behind. */
export const fault: Fault = {
  id: 'R1',
  title: 'the server is killed under load',
  run: ({ short, say }) =>
    inWorld({ embedded: true, ...(short && { eventLeads: 500 }) }, async (world) => {
      const { rounds, enough, clicks, events, pause } = short ? SHORT : LONG
      const server = await world.start()
      const load = await world.load(server, { clicks, events })
      const firsts: number[] = []
      let last = performance.now()
      for (let round = 1; round <= rounds; round += 1) {
        await wait(last + pause() - performance.now())
        const { at, gone } = await server.kill()
        const first = await load.client.untilAcknowledged('click', gone)
        firsts.push(first - at)
        last = gone
        say(`kill ${round}: first 302 after ${Math.round(first - at)} ms`)
      }
      while (load.client.acknowledged < enough) await wait(100)
      await server.untilReady()
      const stored = await load.check()
      const figures: Figures = { kills: rounds, ...stored, ...timesOf('first 302', firsts) }
      if (!short) promise(Number(figures['first 302 p95 ms']) < FIRST_MS, 'The first 302 came too late', figures)
      return figures
    }),
}

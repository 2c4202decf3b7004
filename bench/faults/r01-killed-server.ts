import { setTimeout as wait } from 'node:timers/promises'
import { percentile } from '../measure.ts'
import { checkStored } from './check.ts'
import type { Client } from './client.ts'
import { type Fault, type Figures, promise } from './fault.ts'
import type { Supervised } from './supervised.ts'
import { openWorld } from './world.ts'

const ROUNDS = 50
const FIRST_MS = 1_000

/** With its own PostgreSQL, which the killed server leaves behind. */
export const fault: Fault = {
  id: 'R1',
  title: 'the server is killed under load',
  run: async ({ short, say }) => {
    const rounds = short ? 3 : ROUNDS
    const world = await openWorld({ embedded: true, eventLeads: short ? 500 : undefined })
    try {
      const server = await world.start()
      const { client, journal } = await world.load(
        server,
        short ? { clicks: 100, events: 5 } : { clicks: 600, events: 10 },
      )
      const firsts: number[] = []
      for (let round = 1; round <= rounds; round += 1) {
        await wait(short ? 300 + 300 * round : 1_000 + 4_000 * Math.random())
        firsts.push(await killOnce(server, client))
        say(`kill ${round}: first 302 after ${firsts.at(-1)?.toFixed(0)} ms`)
      }
      await server.untilReady()
      await client.stop()
      await journal.close()
      const stored = await checkStored(world.databaseUrl(), journal.path)
      const p95 = Math.round(percentile(firsts, 0.95))
      const figures: Figures = {
        kills: rounds,
        ...stored,
        'first 302 p95 ms': p95,
        'worst ms': Math.round(Math.max(...firsts)),
      }
      if (!short) promise(p95 < FIRST_MS, 'The first 302 came too late', figures)
      return figures
    } finally {
      await world.remove()
    }
  },
}

/** Milliseconds from the kill to the first 302 of a click that left after it. */
async function killOnce(server: Supervised, client: Client): Promise<number> {
  const killed = await server.kill()
  const gone = performance.now()
  const { sentAt, milliseconds } = await client.until(
    (answered) => answered.kind === 'click' && answered.acknowledged && answered.sentAt >= gone,
    60_000,
  )
  return sentAt + milliseconds - killed
}

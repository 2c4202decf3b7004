import { setTimeout as wait } from 'node:timers/promises'
import { promise } from '#bench/figures.ts'
import { FakeTime } from './fake-time.ts'
import type { Fault } from './fault.ts'
import { refusedClicks } from './refusals.ts'
import { behindProxy } from './world.ts'

const LONG = { offsets: ['+1h', '+0', '-1h', '+0', '-90d', '+2h', '+0'], clicks: 200, events: 10, pauseMs: 5_000 }
const SHORT = { offsets: ['-1h', '+1h', '+0'], clicks: 100, events: 5, pauseMs: 2_500 }

/** The server's clock is set while clicks wait for a database that does not answer; PostgreSQL's clock is right. */
export const fault: Fault = {
  id: 'R8',
  title: 'the clock is set under load',
  run: ({ short, say, world: given }) =>
    behindProxy({ small: short, world: given }, async (world, proxy) => {
      const { offsets, pauseMs, ...rates } = short ? SHORT : LONG
      const time = new FakeTime(world.folder)
      // Little space for the spool, so that the disk is not still busy taking it when the first click needs it.
      const server = await world.start({ ...time.env, SPOOL_MB: short ? '4' : '16' })
      const load = await world.load(server, rates)
      const { client } = load
      await client.untilAcknowledged('click', performance.now())
      for (const offset of offsets) {
        proxy.swallow()
        time.set(offset)
        await wait(pauseMs)
        proxy.pass()
        await wait(pauseMs)
        await client.untilAcknowledged('event', performance.now())
        say(`clock at ${offset}: ${JSON.stringify(client.outcomes)}`)
      }
      const figures = {
        'times set': offsets.length,
        ...(await load.check()),
        ...client.failures,
        'slowest click ms': Math.round(client.slowest.click),
      }
      promise(refusedClicks(client, short) === 0, 'Clicks were refused', figures)
      promise(server.starts === 1, 'The server ended', figures)
      return figures
    }),
}

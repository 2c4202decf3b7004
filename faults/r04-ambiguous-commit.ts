import { setTimeout as wait } from 'node:timers/promises'
import { promise } from '#bench/figures.ts'
import type { Fault } from './fault.ts'
import { onlyUnavailable, refusedClicks } from './refusals.ts'
import { behindProxy } from './world.ts'

const LONG = { seconds: 60, every: 150, clicks: 200, events: 20, cuts: 100 }
const SHORT = { seconds: 1, every: 50, clicks: 50, events: 20, cuts: 5 }

const GIVE_UP_MS = 10_000

/** We cannot know whether such a COMMIT happened. Clicks are sent again by us, events by their senders. */
export const fault: Fault = {
  id: 'R4',
  title: 'the answer to a COMMIT is cut off',
  run: ({ short, world: given }) =>
    behindProxy({ small: short, world: given }, async (world, proxy) => {
      const { seconds, every, clicks, events, cuts } = short ? SHORT : LONG
      const server = await world.start()
      const load = await world.load(server, { clicks, events, insist: true })
      const enough = Date.now() + seconds * 1000
      const late = enough + GIVE_UP_MS
      while (Date.now() < enough || (proxy.cutsMade() < cuts && Date.now() < late)) {
        proxy.cutNext(1)
        await wait(every)
      }
      proxy.cutNext(0)
      const figures = { 'commits cut': proxy.cutsMade(), ...(await load.check()), ...load.client.failures }
      promise(proxy.cutsMade() >= cuts, 'Too few commits were cut for this to say anything', figures)
      promise(server.starts === 1, 'The server ended', figures)
      promise(refusedClicks(load.client, short) === 0, 'Clicks were refused', figures)
      promise(onlyUnavailable(load.client, short), 'A lost answer was answered otherwise than 503', figures)
      return figures
    }),
}

import { setTimeout as wait } from 'node:timers/promises'
import { type Figures, promise } from '#bench/figures.ts'
import { type Answered, nameOf } from '#bench/journal/client.ts'
import type { Fault } from './fault.ts'
import { timesOf } from './times.ts'
import { inWorld } from './world.ts'

const LEAVE_MS = 10_000
const LONG = { rounds: 20, pause: () => 1_000 + 2_000 * Math.random(), clicks: 400, events: 20 }
const SHORT = { rounds: 1, pause: () => 300, clicks: 100, events: 10 }

/**
 * The server no longer listened; or it had not accepted the connection when listening ended; or a keep-alive connection
 * was closed with nothing read from it.
 */
const NEVER_TAKEN = ['refused', 'reset', 'closed']

export const fault: Fault = {
  id: 'R17',
  title: 'the server is asked to leave under load',
  run: ({ short, say, world: given }) =>
    inWorld({ embedded: true, small: short, world: given }, async (world) => {
      const { rounds, pause, clicks, events } = short ? SHORT : LONG
      const server = await world.start()
      const load = await world.load(server, { clicks, events })
      const left: number[] = []
      const unanswered: Answered[] = []
      let closed = 0
      for (let round = 1; round <= rounds; round += 1) {
        const since = performance.now()
        await wait(pause())
        const { code, at, gone } = await server.leave()
        promise(code === 0, `It left with ${code}`, load.client.outcomes)
        left.push(gone - at)
        await server.untilReady()
        // Later requests met no server, or the next one while it starts.
        const failed = load.client.failed.filter(({ sentAt }) => sentAt >= since && sentAt < gone)
        unanswered.push(...failed.filter(({ outcome }) => !NEVER_TAKEN.includes(outcome)))
        closed += failed.filter(({ outcome }) => outcome === 'closed').length
        say(`stop ${round}: left after ${Math.round(gone - at)} ms, ${closed} kept connections closed so far`)
      }
      const stored = await load.check()
      const counted = { stops: rounds, ...stored, unanswered: unanswered.length, 'closed while idle': closed }
      const figures: Figures = { ...counted, ...timesOf('left after', left) }
      promise(!unanswered.length, `Requests that were taken failed: ${unanswered.map(nameOf)}`, figures)
      // What was read from a keep-alive connection before it was closed would be in the database.
      promise(!figures['stored unanswered'] && !figures['events stored unanswered'], 'Answers were cut off', figures)
      promise(Math.max(...left) < LEAVE_MS, 'It took too long to leave', figures)
      return figures
    }),
}

import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { promise } from '#bench/figures.ts'
import { connect } from '#db/connect.ts'
import type { Fault } from './fault.ts'
import { onlyUnavailable, refusedClicks } from './refusals.ts'
import { behindProxy } from './world.ts'

const LONG = { endingSeconds: 60, every: 100, silentSeconds: 30, clicks: 200, events: 10 }
const SHORT = { endingSeconds: 1, every: 100, silentSeconds: 1, clicks: 50, events: 10 }
const BACK_MS = 10_000

/** Every connection of the application. */
const endAll = sql<{ ended: number }>`
  select count(pg_terminate_backend(pid))::int as ended from pg_stat_activity
  where datname = current_database() and application_name like 'afluente%' and pid <> pg_backend_pid()`

/** First PostgreSQL ends each connection repeatedly, then the network swallows everything silently. */
export const fault: Fault = {
  id: 'R7',
  title: 'connections with PostgreSQL are lost',
  run: ({ short, say, world: given }) =>
    behindProxy({ small: short, world: given }, async (world, proxy) => {
      const { endingSeconds, every, silentSeconds, clicks, events } = short ? SHORT : LONG
      const server = await world.start()
      const load = await world.load(server, { clicks, events, payments: true, patienceMs: 60_000 })
      const owner = connect(world.databaseUrl(), { max: 1, applicationName: 'owner' })
      let ended = 0
      for (const end = Date.now() + endingSeconds * 1000; Date.now() < end; await wait(every))
        ended += (await endAll.execute(owner)).rows[0]?.ended ?? 0
      await owner.destroy()
      say(`${ended} connections ended: ${JSON.stringify(load.client.outcomes)}`)
      await wait(500)
      proxy.swallow()
      await wait(silentSeconds * 1000)
      proxy.pass()
      const at = performance.now()
      const back = Math.round((await load.client.untilAcknowledged('event', at)) - at)
      say(`silent for ${silentSeconds} s, an event stored ${back} ms after: ${JSON.stringify(load.client.outcomes)}`)
      const counted = { 'connections ended': ended, ...(await load.check()), ...load.client.failures }
      const figures = { ...counted, 'next event after the silence ms': back }
      promise(server.starts === 1, 'The server ended', figures)
      promise(refusedClicks(load.client, short) === 0, 'Clicks were refused', figures)
      promise(onlyUnavailable(load.client, short), 'A lost connection was answered otherwise than 503', figures)
      if (!short) promise(back < BACK_MS, 'Stuck connections were not given up', figures)
      return figures
    }),
}

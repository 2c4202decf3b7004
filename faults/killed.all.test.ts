import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fault } from './fault.ts'
import { fault as killedServer } from './r01-killed-server.ts'
import { fault as killedPostmaster } from './r03-killed-postmaster.ts'
import { fault as gracefulStop } from './r17-graceful-stop.ts'
import { fault as backup } from './r19-backup.ts'
import { fault as twoServers } from './r23-two-servers.ts'
import { type FaultWorld, openWorld } from './world.ts'

let world: FaultWorld
beforeAll(async () => {
  world = await openWorld({ embedded: true, small: true })
})
afterAll(() => world.remove())

const nameOf = ({ id, title }: Fault) => `${title}: what was acknowledged is stored once (${id})`

test.each(
  [killedServer, killedPostmaster, gracefulStop, backup, twoServers].map((fault) => [nameOf(fault), fault] as const),
)(
  '%s',
  async (_name, fault) => {
    const figures = await fault.run({ short: true, say: () => undefined, world })
    expect(figures).toMatchObject({ lost: 0, doubled: 0 })
  },
  300_000,
)

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '#db/connect.ts'
import { makeBearer, TEST_SECRET, TestClient, type TestServer } from '#server/testing.ts'
import { promise } from './fault.ts'
import type { Supervised } from './supervised.ts'
import { type FaultWorld, openWorld } from './world.ts'

/** The product in a process of its own, in the shape that the tests' helpers know. */
export interface Product extends TestServer {
  world: FaultWorld
  supervised: Supervised
  /** It never ended, and never said that something of ours went wrong. */
  expectUnharmed: () => void
}

export async function openProduct(env: Record<string, string> = {}): Promise<Product> {
  const world = await openWorld({ eventLeads: 0 })
  const supervised = await world
    .start({ SECRET: TEST_SECRET, REQUESTS_PER_SECOND: '100000', ...env })
    .catch(async (error) => {
      await world.remove()
      throw error
    })
  const databaseUrl = world.databaseUrl()
  const db = connect(databaseUrl, { max: 4 })
  const origin = `http://127.0.0.1:${supervised.port}`
  const log = join(world.folder, 'server.log')
  return {
    world,
    supervised,
    db,
    origin,
    databaseUrl,
    anonymous: new TestClient(origin),
    as: async (actor) => new TestClient(origin, { authorization: `Bearer ${await makeBearer(db, actor)}` }),
    expectUnharmed: () => {
      const said = existsSync(log) ? readFileSync(log, 'utf8') : ''
      const errors = said.split('\n').filter((line) => /"level":[56]0|unhandled|^Error|^\s+at /i.test(line))
      promise(errors.length === 0, `The server complained: ${errors.slice(0, 5).join('\n')}`, { lines: errors.length })
      promise(supervised.starts === 1, 'The server ended', { starts: supervised.starts })
    },
    stop: async () => {
      await db.destroy()
      await world.remove()
    },
  }
}

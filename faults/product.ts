import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promise } from '#bench/figures.ts'
import { connect } from '#db/connect.ts'
import { makeBearer, TEST_SECRET, TestClient, type TestServer } from '#server/testing.ts'
import type { Supervised } from './supervised.ts'
import { inWorld } from './world.ts'

/** The product in a process of its own, as a TestServer for the helpers of the tests. */
export interface Product extends TestServer {
  supervised: Supervised
}

/** Whatever is done to it, it must neither end nor report an error of ours. */
export const withProduct = <T>(run: (product: Product) => Promise<T>): Promise<T> =>
  inWorld({ eventLeads: 0 }, async (world) => {
    const supervised = await world.start({ SECRET: TEST_SECRET, REQUESTS_PER_SECOND: '100000' })
    const databaseUrl = world.databaseUrl()
    const db = connect(databaseUrl, { max: 4 })
    const origin = `http://127.0.0.1:${supervised.port}`
    const product: Product = {
      ...{ supervised, db, appDb: db, origin, databaseUrl },
      anonymous: new TestClient(origin),
      as: async (actor) => new TestClient(origin, { authorization: `Bearer ${await makeBearer(db, actor)}` }),
      stop: () => db.destroy(),
    }
    try {
      const result = await run(product)
      expectUnharmed(supervised, join(world.folder, 'server.log'))
      return result
    } finally {
      await product.stop()
    }
  })

function expectUnharmed({ starts }: Supervised, log: string): void {
  const said = existsSync(log) ? readFileSync(log, 'utf8') : ''
  const errors = said.split('\n').filter((line) => /"level":[56]0|unhandled|^Error|^\s+at /i.test(line))
  promise(errors.length === 0, `The server complained: ${errors.slice(0, 5).join('\n')}`, { lines: errors.length })
  promise(starts === 1, 'The server ended', { starts })
}

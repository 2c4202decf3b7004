import { createServer } from 'node:http'
import Fastify from 'fastify'
import { endPool, openPool } from '#db/pool.ts'
import { Readiness } from '../readiness.ts'
import type { Limits } from '../spool/group-commit.ts'
import type { Spool } from '../spool/spool.ts'
import { TestClient } from '../testing.ts'
import { openClicks } from './clicks.ts'
import { redirectRoutes } from './redirect.ts'

/** Clicks alone, without the rest of the product; closing them closes their spool. */
export async function serveClicks(
  databaseUrl: string,
  spool: Spool,
  limits: Partial<Limits> = {},
  readiness = Readiness.ready(),
) {
  const server = createServer()
  const pool = openPool(databaseUrl, { connectionTimeoutMs: 1_000, onError: () => undefined })
  const clicks = await openClicks({ server, pool, databaseUrl, spool, limits, readiness, report: () => undefined })
  const app = Fastify({ serverFactory: () => server })
  await app.register(redirectRoutes, clicks)
  await app.ready()
  clicks.direct.handOver(app.routing)
  const client = new TestClient(await app.listen({ host: '127.0.0.1', port: 0 }))
  const close = async () => {
    await app.close()
    await clicks.close()
    await endPool(pool)
  }
  return { client, close }
}

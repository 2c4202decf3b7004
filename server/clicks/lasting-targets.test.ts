import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { endPool, openPool } from '#db/pool.ts'
import { Readiness } from '../readiness.ts'
import { asOwner, makePair, startServer, type TestServer } from '../testing.ts'
import { LastingTargets } from './lasting-targets.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

test('a cached target is read again before its time is over, also when nobody said that it changed', async () => {
  vi.useFakeTimers({ toFake: ['performance'] }) // its time is never over
  onTestFinished(() => void vi.useRealTimers())
  const { ids, product } = await makePair(server.db)
  const [pool, folder] = [openPool(server.databaseUrl), mkdtempSync(join(tmpdir(), 'afluente-'))]
  const report = (error: unknown) => expect(error).toBeUndefined()
  const parts = { pool, databaseUrl: server.databaseUrl, folder, readiness: Readiness.ready(), report }
  const lasting = await LastingTargets.open({ ...parts, refreshMs: 20 })
  const find = () => lasting.targets.find(ids.relationship_id, ids.product_id)
  expect(await find()).toMatchObject({ redirect_url: product.redirect_url })
  // A start reads all of them twice: when it listens for changes, and a second later.
  for (const host of ['b.mx', 'c.mx', 'd.mx']) {
    const redirect_url = `https://${host}/?t={tracking_id}`
    await asOwner(server.databaseUrl, async (owner) => {
      await owner.transaction().execute(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx) // without the triggers that notify
        await tx.updateTable('product').set({ redirect_url }).where('id', '=', product.id).execute()
      })
    })
    await expect.poll(find, { timeout: 60_000 }).toMatchObject({ redirect_url })
  }
  await lasting.close()
  await endPool(pool)
  rmSync(folder, { recursive: true })
})

import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addDays, dateInMexico } from '#contract/time.ts'
import { asOwner, makePair, startServer, type TestServer } from '../testing.ts'
import { PreviewCounts } from './preview-counts.ts'

let server: TestServer
let pool: pg.Pool
beforeAll(async () => {
  server = await startServer()
  pool = new pg.Pool({ connectionString: server.databaseUrl, max: 1 })
})
afterAll(async () => {
  await pool.end()
  await server.stop()
})

test('what cannot be written before midnight is counted on its own day afterwards', async () => {
  const { ids } = await makePair(server.db)
  const counts = new PreviewCounts(pool)
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  const rename = (from: string, to: string) =>
    asOwner(server.databaseUrl, async (owner) => {
      await owner.schema.alterTable(from).renameTo(to).execute()
    })
  const [today, yesterday] = [dateInMexico(), addDays(dateInMexico(), -1)]
  await rename('preview_count', 'away')
  try {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 })
    for (let time = 0; time < 3; time += 1) counts.add(ids, 'bot')
    vi.useRealTimers()
    await counts.flush()
    expect(warned).toHaveBeenCalledOnce()
    counts.add(ids, 'bot')
  } finally {
    vi.useRealTimers()
    await rename('away', 'preview_count')
  }
  await counts.flush()
  const rows = server.db.selectFrom('preview_count').select(['day', 'count']).where('product_id', '=', ids.product_id)
  expect(await rows.orderBy('day').execute()).toEqual([
    { day: yesterday, count: 3 },
    { day: today, count: 1 },
  ])
  warned.mockRestore()
})

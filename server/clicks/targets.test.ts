import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { endPool, openPool } from '#db/pool.ts'
import { Readiness } from '../readiness.ts'
import { makePair, startServer, type TestServer } from '../testing.ts'
import { Targets } from './targets.ts'

const HOUR = 3_600_000
const APPLICATION = 'targets of a test'

let server: TestServer
let pool: pg.Pool
beforeAll(async () => {
  server = await startServer()
  pool = openPool(server.databaseUrl, { max: 2, applicationName: APPLICATION })
})
afterAll(async () => {
  await endPool(pool)
  await server.stop()
})

function countingTargets() {
  const query = vi.spyOn(pool, 'query').mockClear()
  /** Also to those that a slow machine did not wait for. */
  const untilAnswered = async () => {
    await Promise.all(query.mock.results.map(({ value }) => value))
    await setImmediate()
  }
  return { targets: new Targets(pool), queries: () => query.mock.calls.length, untilAnswered }
}

test('a thousand simultaneous clicks ask the database once', async () => {
  const { ids } = await makePair(server.db)
  const { targets, queries } = countingTargets()
  const find = () => targets.find(ids.relationship_id, ids.product_id)
  const found = await Promise.all(Array.from({ length: 1000 }, find))
  expect(found.every((target) => target?.live)).toBe(true)
  expect(queries()).toBe(1)
  targets.clear()
  await find()
  expect(queries()).toBe(2)
})

test('a target is read again after a minute, whatever the clock was set to', async () => {
  const { ids } = await makePair(server.db)
  const { targets, queries, untilAnswered } = countingTargets()
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const find = async () => {
    await targets.find(ids.relationship_id, ids.product_id)
    await untilAnswered()
  }
  await find()
  for (const [count, step] of [HOUR, -HOUR].entries()) {
    vi.setSystemTime(Date.now() + step)
    vi.advanceTimersByTime(59_000)
    await find()
    expect(queries()).toBe(count + 1)
    vi.advanceTimersByTime(2_000)
    await find()
    expect(queries()).toBe(count + 2)
  }
})

test('a pair that does not exist is cached too', async () => {
  const { targets, queries } = countingTargets()
  for (let time = 0; time < 3; time += 1) expect(await targets.find(999_999, 1)).toBeUndefined()
  expect(queries()).toBe(1)
})

test('a link that nobody followed yet is looked up again when the connection ends meanwhile', async () => {
  const { ids } = await makePair(server.db)
  const { targets, queries } = countingTargets()
  const lock = await server.db.startTransaction().execute()
  await sql`lock table product`.execute(lock)
  const found = targets.find(ids.relationship_id, ids.product_id)
  // The server's own jobs may wait for the table, too.
  const end = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
    and wait_event_type = 'Lock' and application_name = ${APPLICATION}`
  await expect.poll(async () => (await end.execute(server.db)).rows).toHaveLength(1)
  await lock.rollback().execute()
  expect(await found).toMatchObject({ live: true })
  expect(queries()).toBe(2)
})

test('a refresh asks once, and what is no longer live is not served without a database', async () => {
  const [kept, gone] = [await makePair(server.db), await makePair(server.db)]
  const { targets, queries } = countingTargets()
  for (const { ids } of [kept, gone]) await targets.find(ids.relationship_id, ids.product_id)
  expect(targets.live.map(({ product_id }) => product_id)).toEqual([kept.product.id, gone.product.id])
  const inactive = { relationship_status: 'inactive' }
  await server.db.updateTable('relationship').set(inactive).where('id', '=', gone.ids.relationship_id).execute()
  targets.clear()
  const before = queries()
  await targets.refresh()
  expect(queries()).toBe(before + 1)
  expect(targets.live.map(({ product_id }) => product_id)).toEqual([kept.product.id])
  expect(await targets.find(gone.ids.relationship_id, gone.ids.product_id)).toMatchObject({ live: false })
  expect(queries()).toBe(before + 1)
})

test('a link that changes while it is looked up for the first time is copied, too', async () => {
  const { ids } = await makePair(server.db)
  let changes = 0
  const targets = new Targets(pool, { onChange: () => (changes += 1) })
  const finding = targets.find(ids.relationship_id, ids.product_id)
  targets.clear()
  await finding
  await targets.refresh()
  expect([changes, targets.live.length]).toEqual([1, 1])
})

test('without a database adopted targets are served, and no link is said not to exist', async () => {
  const { ids } = await makePair(server.db)
  const known = await new Targets(pool).find(ids.relationship_id, ids.product_id)
  const readiness = new Readiness()
  const targets = new Targets(pool, { readiness })
  if (known) targets.adopt([{ ...known, redirect_url: 'https://copia.ejemplo.mx/' }])
  const find = (product: number) => targets.find(ids.relationship_id, product)
  expect(await find(ids.product_id)).toMatchObject({ redirect_url: 'https://copia.ejemplo.mx/' })
  await expect(find(999_999)).rejects.toMatchObject({ status: 503, retryAfter: 5 })
  readiness.declareReady()
  // At once, unless the database is slow.
  await expect.poll(() => find(ids.product_id)).toEqual(known)
  expect(await find(999_999)).toBeUndefined()
})

test('a known link leads on while a table is missing, as in a restore in place', async () => {
  const { ids } = await makePair(server.db)
  const targets = new Targets(pool)
  const find = () => targets.find(ids.relationship_id, ids.product_id)
  const known = await find()
  await sql`alter table product rename to product_away`.execute(server.db)
  onTestFinished(async () => void (await sql`alter table product_away rename to product`.execute(server.db)))
  targets.clear()
  expect(await find()).toEqual(known)
})

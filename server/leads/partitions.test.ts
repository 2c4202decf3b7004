import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LeadFilters } from '#contract/leads.ts'
import { connect, type Db } from '#db/connect.ts'
import { type Ids, makeLead, makePair } from '#db/factories.ts'
import { idAt } from '#db/lead-ids.ts'
import { callAlone } from '#db/pool.ts'
import { createTestDatabase, type TestDatabase } from '#db/testing.ts'
import { Answer } from '../http/http.ts'
import { inSnapshot } from '../snapshot.ts'
import { startProxy } from '../spool/database-proxy.testing.ts'
import { foldOnce } from '../totals/fold.ts'
import { readLeadDays } from '../totals/read.ts'
import { mergePartitions, type Partition, runToMerge, stepDue, tendPartitions } from './partitions.ts'
import { listLeads } from './queries.ts'

// Without a server, which would take the next step itself.
let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await createTestDatabase()
  db = connect(database.url, { max: 8 })
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const admin = {
  ...{
    userId: 0,
    sessionId: '',
    name: 'Ana',
    readOnly: false,
    lacksFactor: false,
    hasGivenPassword: false,
    elevated: false,
    duty: 'owner' as const,
    requestId: '',
    address: '',
  },
  role: 'admin',
} as const

const HOUR = 3_600_000
const tend = (now: number, cutLeads = 1) =>
  tendPartitions(db, { databaseUrl: database.url, now: new Date(now), cutLeads })
const merge = (now: number) => mergePartitions(db, { databaseUrl: database.url, now: new Date(now) })

/** Leads of one hour, then the cut after them. */
async function fillHour(ids: Parameters<typeof makeLead>[1], hour: number) {
  for (let minute = 0; minute < 3; minute += 1)
    await makeLead(db, { ...ids, created_at: hour + minute * 60_000, external_id: `h${hour}-${minute}` })
  await expect(tend(hour + HOUR - 60_000)).resolves.toMatchObject({ step: { kind: 'cut' } })
}

const namesOf = async () =>
  (await db.selectFrom('lead_partition').selectAll().orderBy('first_id').execute()).map(({ name }) => name)

/** With every column. */
const readRows = ({ issuer_id }: Ids) =>
  db.selectFrom('lead').selectAll().where('issuer_id', '=', issuer_id).orderBy('tracking_id').execute()

test('partitions are cut, closed and merged, and every lead is listed and counted once meanwhile', async () => {
  const { ids } = await makePair(db)
  const start = Date.parse('2025-06-10T18:00:00Z')
  const expectAll = async (count: number) => {
    const filters = LeadFilters.parse({ issuer_id: String(ids.issuer_id), page_size: '100' })
    const answer = await listLeads(db, admin, filters)
    const { pagination, results } = answer instanceof Answer ? answer.data : answer
    expect(pagination.count).toBe(count)
    expect(new Set(results.map(({ id }) => id)).size).toBe(count)
    const days = await inSnapshot(db, (tx) => readLeadDays(tx, [['issuer_id', ids.issuer_id]], {}))
    expect(days).toEqual([{ day: '2025-06-10', count }])
  }
  for (let hour = 0; hour < 3; hour += 1) {
    await fillHour(ids, start + hour * HOUR)
    await expectAll(3 * (hour + 1))
  }
  for (let closed = 0; closed < 3; closed += 1) {
    await expect(tend(start + 3 * HOUR, 100)).resolves.toMatchObject({ step: { kind: 'close' } })
    await expectAll(9)
  }
  // From a spool, hours later.
  await makeLead(db, { ...ids, created_at: start + HOUR + 1000 })
  await expectAll(10)
  await foldOnce(db)
  await expectAll(10)
  const before = await namesOf()
  const rowsBefore = await readRows(ids)
  await expect(merge(start + 48 * HOUR)).resolves.toMatchObject({ step: { kind: 'merge' } })
  expect((await namesOf()).length).toBeLessThan(before.length)
  expect(await readRows(ids)).toEqual(rowsBefore)
  await makeLead(db, { ...ids, created_at: start + 2000 })
  await expectAll(11)
  expect(await readRows(ids)).toHaveLength(11)
})

test('two copies of the server at the same step do it once', async () => {
  const { ids } = await makePair(db)
  const now = Date.parse('2025-08-01T18:00:00Z')
  await makeLead(db, { ...ids, created_at: now - 60_000 })
  const before = (await namesOf()).length
  const steps = await Promise.all(Array.from({ length: 5 }, () => tend(now)))
  expect(steps.filter(({ step }) => step?.kind === 'cut').length).toBeGreaterThanOrEqual(1)
  expect(await namesOf()).toHaveLength(before + 1)
})

test('while partitions are merged, the open one is cut and leads are stored', async () => {
  const { ids } = await makePair(db)
  const start = Date.parse('2025-11-03T18:00:00Z')
  for (let hour = 0; hour < 2; hour += 1) await fillHour(ids, start + hour * HOUR)
  while ((await tend(start + 2 * HOUR, 100)).step);
  const names = await namesOf()
  await makeLead(db, { ...ids, created_at: start + 2 * HOUR })
  const writer = connect(database.url, { max: 1 })
  let merged: Promise<unknown> = Promise.resolve()
  // Whoever writes into a partition holds up its merge, as a long copy would.
  await writer.transaction().execute(async (tx) => {
    for (const name of names.slice(0, -1)) await sql`lock table ${sql.table(name)} in row exclusive mode`.execute(tx)
    merged = merge(start + 48 * HOUR)
    await expect
      .poll(async () => {
        const { rows } = await sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
        return rows.length
      })
      .toBe(1)
    await expect(tend(start + 3 * HOUR)).resolves.toMatchObject({ step: { kind: 'cut' } })
    await makeLead(db, { ...ids, created_at: start + 4 * HOUR })
  })
  await expect(merged).resolves.toMatchObject({ step: { kind: 'merge' } })
  await writer.destroy()
  expect(await readRows(ids)).toHaveLength(8)
})

const open = { leads: 0, day: null }
const closed = (day: string, leads: number, name = `p${day}${leads}`): Partition => ({
  ...{ name, day, leads },
  has_ended: true,
})

test('a partition is cut when it holds enough leads or those of another day', () => {
  const now = new Date('2025-06-10T18:00:00Z')
  expect(stepDue({ partitions: [], open }, now)).toBeUndefined()
  expect(stepDue({ partitions: [], open: { leads: 19_999, day: '2025-06-10' } }, now)).toBeUndefined()
  expect(stepDue({ partitions: [], open: { leads: 20_000, day: '2025-06-10' } }, now)?.kind).toBe('cut')
  expect(stepDue({ partitions: [], open: { leads: 1, day: '2025-06-09' } }, now)?.kind).toBe('cut')
})

test('partitions are merged by month, by day and in tens, up to a size', () => {
  const run = (partitions: Partition[]) => runToMerge(partitions, '2025-06-10')?.length
  expect(run([closed('2025-05-01', 5), closed('2025-05-02', 5), closed('2025-06-01', 5)])).toBe(2)
  expect(run([closed('2025-05-01', 5), closed('2025-06-01', 5), closed('2025-06-02', 5)])).toBeUndefined()
  expect(run([closed('2025-06-01', 5), closed('2025-06-01', 6), closed('2025-06-02', 5)])).toBe(2)
  expect(run([closed('2025-05-01', 5_000_000), closed('2025-05-02', 1)])).toBeUndefined()
  expect(run([closed('2025-05-01', 4_999_999), closed('2025-05-02', 1)])).toBe(2)
  const today = (count: number) => Array.from({ length: count }, (_, n) => closed('2025-06-10', 20_000, `t${n}`))
  expect(run(today(9))).toBeUndefined()
  expect(run(today(10))).toBe(10)
  expect(run([closed('2025-06-10', 500_000), ...today(10)])).toBe(10)
  expect(run([...today(9), closed('2025-06-10', 300_000), ...today(10)])).toBe(10)
})

test('an id contains its moment', async () => {
  const moment = '2025-03-05T05:59:59.999Z'
  const { rows } = await sql<{ at: string }>`select moment_of(${idAt(moment)}::uuid) as at`.execute(db)
  expect(rows).toEqual([{ at: moment }])
})

test('a lead beyond the cut, of a server whose clock is ahead, is said aloud; what is due besides is done', async () => {
  const { ids } = await makePair(db)
  const start = Date.parse('2025-12-10T18:00:00Z')
  await makeLead(db, { ...ids, created_at: start })
  await makeLead(db, { ...ids, created_at: start + 60_000 })
  const kinds = new Set<string | undefined>()
  const tendOn = async () => {
    for (;;) kinds.add((await tend(start + 1000)).step?.kind)
  }
  await expect(tendOn()).rejects.toMatchObject({ code: '23514' })
  expect([...kinds]).toEqual(['close'])
  await expect(tend(start + 61_000)).resolves.toMatchObject({ step: { kind: 'cut' } })
})

test('a server whose clock is ahead cuts nothing beyond that of the database, and says so', async () => {
  const { ids } = await makePair(db)
  await makeLead(db, { ...ids, created_at: Date.now() })
  const names = await namesOf()
  const tendAhead = async () => {
    for (;;) await tend(Date.now() + HOUR)
  }
  await expect(tendAhead()).rejects.toThrow(/no partition begins .* ahead of PostgreSQL's clock/)
  expect(await namesOf()).toEqual(names)
  // Clocks differ a little.
  await expect(tend(Date.now() + 50_000)).resolves.toMatchObject({ step: { kind: 'cut' } })
  // Until then clicks go into the one that was cut, whoever believes that it is over.
  expect((await tend(Date.now() + HOUR)).step).toBeUndefined()
})

test('a step waits neither for a standby nor for a database that vanished', async () => {
  const proxy = await startProxy(database.url)
  const lost = callAlone(
    proxy.url,
    'afluente partitions',
    async (call) => {
      const { rows } = await call('show synchronous_commit', [])
      expect(rows).toEqual([{ synchronous_commit: 'local' }])
      proxy.swallow()
      await call('select 1', [])
    },
    { deadlineMs: 300 },
  )
  await expect(lost).rejects.toThrow('Query read timeout')
  proxy.close()
})

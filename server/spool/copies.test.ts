import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { mkdtempSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { timeOf } from '#db/lead-ids.ts'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import { unavailable } from '../http/errors.ts'
import { Readiness } from '../readiness.ts'
import { makeLead, makePair, startServer, type TestServer } from '../testing.ts'
import { Spools } from './copies.ts'
import { idOfClick, makeRecord } from './records.testing.ts'
import { Spool } from './spool.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const SOON = { timeout: 60_000, interval: 200 }
const HOUR = 3_600_000

/** The last report of another copy. */
const notice = (clearUntil: number, heardAt = Date.now()) => ({
  clear_until: new Date(clearUntil).toISOString(),
  heard_at: new Date(heardAt).toISOString(),
})

test('an event of a lead that may wait in the spool of another copy is a 503 until it cannot be there', async () => {
  const { client, ids, steps, lead: stored } = await makeFunnel(server)
  const eventOf = (tracking_id: string) => ({ tracking_id, step_id: steps.step_1.id })
  const send = (tracking_id: string) => client.post(EVENTS, eventOf(tracking_id))
  const statusOf = async (tracking_id: string) => (await send(tracking_id)).status
  const spool_id = randomUUID()
  const change = (values: ReturnType<typeof notice>) =>
    server.db.updateTable('spool_notice').set(values).where('spool_id', '=', spool_id).execute()
  const lead = randomUUIDv7()
  expect(await statusOf(lead)).toBe(404)

  // It fell silent ten minutes ago.
  await server.db
    .insertInto('spool_notice')
    .values({ spool_id, ...notice(Date.now() - 600_000) })
    .execute()
  await expect.poll(() => statusOf(lead), SOON).toBe(503)
  const refused = await send(lead)
  expect(refused.headers.get('retry-after')).toBe('5')
  const batch = await client.post(`${EVENTS}batch/`, { events: [eventOf(lead), eventOf(stored.tracking_id)] })
  expect(batch.json().data.results.map(({ status }: { status: number }) => status)).toEqual([503, 201])
  // What has to wait was not refused.
  expect(await server.db.selectFrom('event_receipt').select('code').execute()).not.toContainEqual({
    code: unavailable().code,
  })
  expect(await statusOf(idOfClick(Date.now() - HOUR))).toBe(404)
  expect(await statusOf(randomUUID())).toBe(404)

  // It is back and has stored what it held; another lead was never anywhere.
  await makeLead(server.db, { ...ids, tracking_id: lead })
  expect(await statusOf(lead)).toBe(201)
  const never = randomUUIDv7()
  expect(await statusOf(never)).toBe(503)
  await change(notice(Date.now()))
  await expect.poll(() => statusOf(never), SOON).toBe(404)

  // Gone for good: after a day it counts no more.
  await change(notice(Date.now() - 25 * HOUR))
  await expect.poll(() => statusOf(never), SOON).toBe(503)
  await change(notice(Date.now() - 25 * HOUR, Date.now() - 25 * HOUR))
  await expect.poll(() => statusOf(never), SOON).toBe(404)
})

const fail = (error: unknown) => expect.unreachable(String(error))

/** A copy with an empty spool, and what it reports to the others. */
async function makeCopy(report: (error: unknown) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'afluente-'))
  const spool = await Spool.open(folder, 1, () => undefined)
  const reports = { begun: 0, done: 0 }
  const db = server.db.withPlugin({
    transformQuery: ({ node }) => {
      reports.begun += 1
      return node
    },
    transformResult: async ({ result }) => {
      reports.done = reports.begun
      return result
    },
  })
  const copy = await Spools.open({ spool, db, readiness: Readiness.ready(), report })
  onTestFinished(async () => {
    vi.useRealTimers()
    await copy.close()
    await spool.close()
    await server.db.deleteFrom('spool_notice').where('spool_id', '=', spool_id).execute()
    rmSync(folder, { recursive: true })
  })
  const spool_id = readlinkSync(join(spool.folder, 'id'))
  const own = () =>
    server.db.selectFrom('spool_notice').selectAll().where('spool_id', '=', spool_id).executeTakeFirstOrThrow()
  /** What it reports next; a report that is under way was made of what its clock said before. */
  const next = async () => {
    const following = reports.begun + 1
    await expect.poll(() => reports.done, SOON).toBeGreaterThanOrEqual(following)
    return Date.parse((await own()).clear_until)
  }
  return { copy, spool, spool_id, next }
}

// Before the tests that set the clock: after them the note of the server under test covers this lead, too.
test('a copy that stopped in order and is back takes clicks before it reports: its last report tells of them', async () => {
  const [back, other] = [await makeCopy(fail), await makeCopy(fail)]
  await back.copy.close()
  const minuteAgo = Date.now() - 60_000
  await server.db
    .updateTable('spool_notice')
    .set(notice(minuteAgo, minuteAgo))
    .where('spool_id', '=', back.spool_id)
    .execute()
  const { ids } = await makePair(server.db)
  const lead = makeRecord(ids, { tracking_id: idOfClick(Date.now() - 30_000) })
  await back.spool.append(lead)
  await other.next()
  await expect.poll(() => other.copy.mayBeElsewhere(lead.tracking_id), SOON).toBe(true)
  expect(other.copy.mayBeElsewhere(idOfClick(minuteAgo - 60_000))).toBe(false)
})

test('a copy whose clock is set reports no moment after a click that is under way or in its spool', async () => {
  const reports: string[] = []
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  const { spool, next } = await makeCopy((error) => reports.push(String(error)))
  const now = Date.now()
  const isClear = async (...ids: string[]) => {
    const clearUntil = await next()
    return ids.map((id) => timeOf(id) <= clearUntil)
  }
  const underWay = idOfClick(now)
  vi.setSystemTime(now + HOUR)
  expect(await isClear(underWay)).toEqual([false])
  // However long it took to say so, and whatever else a busy machine reports.
  const ofClock = () => reports.filter((report) => /^Error: Our clock is \d+ s ahead/.test(report))
  await expect.poll(ofClock, SOON).toHaveLength(1)
  // By now it is in the database, in the spool, or was refused.
  vi.advanceTimersByTime(13_000)
  expect(await isClear(underWay)).toEqual([true])

  vi.setSystemTime(now - HOUR)
  expect(await isClear(idOfClick(now - HOUR))).toEqual([false])
  const { ids } = await makePair(server.db)
  const [first, second] = [idOfClick(now), idOfClick(now - HOUR)]
  for (const tracking_id of [first, second]) await spool.append(makeRecord(ids, { tracking_id }))
  vi.setSystemTime(now)
  vi.advanceTimersByTime(13_000)
  expect(await isClear(first, second)).toEqual([false, false])
})

test('a click in another copy is no forgery, although our clock was set back', async () => {
  const { copy, next } = await makeCopy(() => undefined)
  const [now, spool_id] = [Date.now(), randomUUID()]
  const silent = { spool_id, ...notice(now - 600_000, now) }
  await server.db.insertInto('spool_notice').values(silent).execute()
  vi.useFakeTimers({ now: now - HOUR, toFake: ['Date'] })
  await next()
  await expect.poll(() => copy.mayBeElsewhere(idOfClick(now)), SOON).toBe(true)
  expect(copy.mayBeElsewhere(idOfClick(now + HOUR))).toBe(false)
  await server.db.deleteFrom('spool_notice').where('spool_id', '=', spool_id).execute()
})

test('a copy reports how far it is, and never past what waits in its spool', async () => {
  const { spool, next } = await makeCopy(fail)
  const began = Date.now()
  expect(await next()).toBeGreaterThan(began - 120_000)
  const { ids } = await makePair(server.db)
  await spool.append(makeRecord(ids, { tracking_id: idOfClick(Date.now() - HOUR) }))
  expect(await next()).toBeLessThan(Date.now() - HOUR)
})

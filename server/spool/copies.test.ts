import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

const SOON = { timeout: 10_000, interval: 100 }
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

test('a copy reports how far it is, and deletes its report only when it stops with an empty spool', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'afluente-'))
  const spool = await Spool.open(folder, 1, () => undefined)
  const notices = () => server.db.selectFrom('spool_notice').select(['spool_id', 'clear_until']).execute()
  const others = (await notices()).map(({ spool_id }) => spool_id)
  const own = async () => (await notices()).filter(({ spool_id }) => !others.includes(spool_id))
  const enter = () => Spools.open({ spool, db: server.db, readiness: Readiness.ready(), report: fail })

  const first = await enter()
  const [said] = await own()
  expect(Date.now() - Date.parse(said?.clear_until ?? '')).toBeLessThan(20_000)
  await first.close()
  expect(await own()).toEqual([])

  const waiting = idOfClick(Date.now() - HOUR)
  const { ids } = await makePair(server.db)
  await spool.append(makeRecord(ids, { tracking_id: waiting }))
  const second = await enter()
  await second.close()
  const [left] = await own()
  expect(left?.spool_id).toBe(said?.spool_id)
  expect(Date.parse(left?.clear_until ?? '')).toBeLessThan(Date.now() - HOUR)
  await spool.close()
  rmSync(folder, { recursive: true })
})

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeDelivery, makeReceiver } from '#db/factories.ts'
import { freePort } from '#db/processes.testing.ts'
import { createTestDatabase } from '#db/testing.ts'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import { startProxy } from '../spool/database-proxy.testing.ts'
import { makePair, startServer, TestClient, type TestServer } from '../testing.ts'
import { serveMetrics } from './page.ts'
import { Prometheus } from './prometheus.ts'

let server: TestServer
let proxy: Awaited<ReturnType<typeof startProxy>>
let measures: Prometheus
let page: Awaited<ReturnType<typeof serveMetrics>>
let prometheus: TestClient
beforeAll(async () => {
  const database = await createTestDatabase()
  proxy = await startProxy(database.serverUrl)
  measures = new Prometheus({ databaseUrl: proxy.url, restarts: () => 0 })
  server = await startServer({}, { database: { ...database, serverUrl: proxy.url }, measures })
  const port = await freePort()
  page = await serveMetrics(measures.registry, { host: '127.0.0.1', port })
  prometheus = new TestClient(`http://127.0.0.1:${port}`)
})
afterAll(async () => {
  proxy.close() // what was swallowed would be waited for
  await page.close()
  await measures.close()
  await server.stop()
})

/** The samples by name and labels, as `afluente_clicks_total{outcome="stored"}`. */
async function read(): Promise<Record<string, number>> {
  const { status, text } = await prometheus.get('/metrics')
  expect(status).toBe(200)
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)?.[0])]))
}

const LONG = { timeout: 100_000, interval: 100 }
/** By how much each of these grew meanwhile. */
async function growth(names: string[], run: () => Promise<void>): Promise<Record<string, number>> {
  const before = await read()
  await run()
  const after = await read()
  return Object.fromEntries(names.map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]))
}

const clicks = (outcome: string) => `afluente_clicks_total{outcome="${outcome}"}`
const events = (verdict: string) => `afluente_events_total{verdict="${verdict}"}`

test('clicks are counted by what became of them, and in batches', async () => {
  const { ids } = await makePair(server.db)
  let round = 0
  const open = (name: string, headers = {}) => {
    const link = `/api/v1/leads/redirect/${ids.relationship_id}/?product_id=${ids.product_id}&external_id=${name}`
    return server.anonymous.get(link, { headers })
  }
  const clickAround = async () => {
    round += 1
    for (const name of [`uno ${round}`, `uno ${round}`, `dos ${round}`]) await open(name)
    await open('tres', { 'user-agent': 'WhatsApp/2.23.20' })
    await open('cuatro', { purpose: 'prefetch' })
    await server.anonymous.get('/api/v1/leads/redirect/999999/?product_id=1')
    await server.anonymous.get('/api/v1/leads/redirect/x/')
    // A lead is answered a moment before its place in the queue is given back.
    await expect.poll(read, LONG).toMatchObject({ afluente_spool_records: 0 })
  }
  const expected = {
    ...{ [clicks('stored')]: 2, [clicks('repeated')]: 1, [clicks('preview')]: 1, [clicks('prefetch')]: 1 },
    ...{ [clicks('unknown')]: 1, [clicks('invalid')]: 1 },
    ...{ afluente_click_batch_leads_sum: 2, afluente_click_commit_seconds_count: 2 },
  }
  // On a busy machine a click may come through the spool without any outage.
  await vi.waitFor(async () => expect(await growth(Object.keys(expected), clickAround)).toEqual(expected), LONG)
})

test('what is there: the database, the spool, the connections, the process', async () => {
  const figures = await read()
  expect(figures).toMatchObject({
    afluente_ready: 1,
    afluente_database_up: 1,
    afluente_spool_records: 0,
    afluente_spool_oldest_seconds: 0,
    afluente_embedded_restarts: 0,
    afluente_leads_open: expect.any(Number),
    'afluente_pool_connections{pool="afluente clicks",state="max"}': 2,
    'afluente_pool_connections{pool="afluente clicks",state="waiting"}': 0,
  })
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes'])
    expect(figures[name]).toBeGreaterThan(0)
})

test('events and requests are counted by what became of them', async () => {
  const funnel = await makeFunnel(server)
  const { tracking_id } = funnel.lead
  const issuer = new TestClient(server.origin, { 'x-api-key': funnel.key })
  const event = { tracking_id, event_type: 'aprobado', event_id: 'e1' }
  for (const sent of [event, event, { ...event, event_id: 'e2', event_type: 'nada' }]) await issuer.post(EVENTS, sent)
  const after = await read()
  expect(after).toMatchObject({ [events('accepted')]: 1, [events('duplicate')]: 1, [events('rejected')]: 1 })
  expect(after['afluente_request_seconds_count{kind="events",status="2xx"}']).toBe(2)
  expect(after['afluente_request_seconds_count{kind="events",status="4xx"}']).toBe(1)
  expect(Object.keys(after).some((name) => /kind="leads"/.test(name))).toBe(false)
})

test('deliveries: what waits and for how long, by the state of its receiver', async () => {
  const columns = { rest_until: new Date(Date.now() + 3_600_000) }
  const made = await makeReceiver(server.db, columns)
  const ago = new Date(Date.now() - 3_600_000)
  for (const created_at of [ago, new Date()])
    await makeDelivery(server.db, made.id, { state: 'waiting', settled_at: null, created_at })
  await makeDelivery(server.db, made.id)
  await makeReceiver(server.db, { ...columns, state: 'paused', reason: 'gone', paused_at: ago })
  await makeReceiver(server.db, { archived_at: ago })
  const figures = async () =>
    Object.fromEntries(Object.entries(await read()).filter(([name]) => /^afluente_(receivers|deliveries_)/.test(name)))
  const age = expect.toSatisfy((seconds: number) => seconds >= 3_600 && seconds < 7_200)
  expect(await figures()).toEqual({
    'afluente_receivers{receiver="active"}': 1,
    'afluente_receivers{receiver="failing"}': 0,
    'afluente_receivers{receiver="paused"}': 1,
    'afluente_deliveries_waiting{receiver="active"}': 2,
    'afluente_deliveries_waiting{receiver="failing"}': 0,
    'afluente_deliveries_waiting{receiver="paused"}': 0,
    'afluente_deliveries_oldest_seconds{receiver="active"}': age,
    'afluente_deliveries_oldest_seconds{receiver="failing"}': 0,
    'afluente_deliveries_oldest_seconds{receiver="paused"}': 0,
  })
  await server.db.updateTable('receiver').set({ state: 'failing', failures: 5 }).where('id', '=', made.id).execute()
  expect(await figures()).toMatchObject({
    'afluente_receivers{receiver="active"}': 0,
    'afluente_receivers{receiver="failing"}': 1,
    'afluente_deliveries_waiting{receiver="failing"}': 2,
    'afluente_deliveries_oldest_seconds{receiver="failing"}': age,
  })
})

test('an outage shows: the database is down, the spool fills, then drains', async () => {
  const { ids } = await makePair(server.db)
  const open = (name: string) =>
    server.anonymous.get(
      `/api/v1/leads/redirect/${ids.relationship_id}/?product_id=${ids.product_id}&external_id=${name}`,
    )
  await open('antes')
  await expect.poll(read, LONG).toMatchObject({ afluente_spool_records: 0 })
  const before = await read()
  const more = (name: string) => (before[name] ?? 0) + 20
  proxy.swallow()
  await Promise.all(Array.from({ length: 20 }, (_, index) => open(`durante-${index}`)))
  const during = await read()
  const spooled = clicks('spooled')
  expect(during).toMatchObject({ afluente_database_up: 0, afluente_spool_records: 20, [spooled]: more(spooled) })
  expect(during.afluente_spool_bytes).toBeGreaterThan(20 * 200)
  expect(during.afluente_spool_bytes).toBeLessThan(during.afluente_spool_capacity_bytes ?? 0)
  expect(during.afluente_spool_oldest_seconds).toBeGreaterThan(0)
  expect(during[clicks('stored')]).toBe(before[clicks('stored')])
  proxy.pass()
  await vi.waitFor(
    async () =>
      expect(await read()).toMatchObject({
        afluente_database_up: 1,
        afluente_spool_records: 0,
        afluente_spool_bytes: 0,
        afluente_spool_oldest_seconds: 0,
        afluente_spool_drained_total: more('afluente_spool_drained_total'),
      }),
    LONG,
  )
})

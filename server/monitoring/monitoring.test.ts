import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeDelivery, makeReceiver } from '#db/factories.ts'
import { end, freePort } from '#db/processes.testing.ts'
import { type ServerProcess, startProcess, untilStarted } from '../clicks/server-process.testing.ts'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import { startProxy } from '../spool/database-proxy.testing.ts'
import { makePair, startServer, TEST_SECRET, TestClient, type TestServer } from '../testing.ts'

let server: TestServer
let proxy: Awaited<ReturnType<typeof startProxy>>
let product: ServerProcess
let prometheus: TestClient
let dataDir: string
beforeAll(async () => {
  server = await startServer()
  proxy = await startProxy(server.databaseUrl)
  dataDir = mkdtempSync(join(tmpdir(), 'afluente-'))
  const port = await freePort()
  const settings = { DATABASE_URL: proxy.url, DATA_DIR: dataDir, SECRET: TEST_SECRET, DEMO: '0' }
  product = await startProcess({ ...settings, METRICS_PORT: String(port) })
  await untilStarted(product)
  prometheus = new TestClient(`http://127.0.0.1:${port}`)
})
afterAll(async () => {
  await end(product.child)
  proxy.close()
  await server.stop()
  rmSync(dataDir, { recursive: true })
})

/** The samples by name and labels, as `afluente_clicks_total{outcome="stored"}`. */
async function read(): Promise<Record<string, number>> {
  const { status, headers, text } = await prometheus.get('/metrics')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)?.[0])]))
}

const clicks = (outcome: string) => `afluente_clicks_total{outcome="${outcome}"}`
const events = (verdict: string) => `afluente_events_total{verdict="${verdict}"}`

test('clicks, events and requests are counted by what became of them', async () => {
  const funnel = await makeFunnel(server)
  const { relationship_id, product_id } = funnel.ids
  const link = (name: string) =>
    `/api/v1/leads/redirect/${relationship_id}/?product_id=${product_id}&external_id=${name}`
  const open = (path: string, headers = {}) => product.client.get(path, { headers })
  const location = (await open(link('uno'))).headers.get('location') ?? ''
  await open(link('uno'))
  await open(link('dos'))
  await open(link('tres'), { 'user-agent': 'WhatsApp/2.23.20' })
  await open(link('cuatro'), { purpose: 'prefetch' })
  await open('/api/v1/leads/redirect/999999/?product_id=1')
  await open('/api/v1/leads/redirect/x/')
  // A lead is answered a moment before its place in the queue is given back.
  await expect.poll(read).toMatchObject({
    [clicks('stored')]: 2,
    [clicks('repeated')]: 1,
    [clicks('preview')]: 1,
    [clicks('prefetch')]: 1,
    [clicks('unknown')]: 1,
    [clicks('invalid')]: 1,
    afluente_click_batch_leads_sum: 2,
    afluente_click_commit_seconds_count: 2,
    afluente_ready: 1,
    afluente_database_up: 1,
    afluente_spool_records: 0,
    afluente_spool_oldest_seconds: 0,
    afluente_embedded_restarts: 0,
    afluente_leads_open: expect.any(Number),
    'afluente_pool_connections{pool="afluente clicks",state="max"}': 2,
    'afluente_pool_connections{pool="afluente clicks",state="waiting"}': 0,
  })

  const issuer = new TestClient(`http://127.0.0.1:${product.port}`, { 'x-api-key': funnel.key })
  const event = { tracking_id: new URL(location).searchParams.get('ref'), event_type: 'aprobado', event_id: 'e1' }
  for (const sent of [event, event, { ...event, event_id: 'e2', event_type: 'nada' }]) await issuer.post(EVENTS, sent)
  const after = await read()
  expect(after).toMatchObject({ [events('accepted')]: 1, [events('duplicate')]: 1, [events('rejected')]: 1 })
  expect(after['afluente_request_seconds_count{kind="events",status="2xx"}']).toBe(2)
  expect(after['afluente_request_seconds_count{kind="events",status="4xx"}']).toBe(1)
  expect(Object.keys(after).some((name) => /kind="leads"/.test(name))).toBe(false)
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes'])
    expect(after[name]).toBeGreaterThan(0)
})

test('deliveries: what waits and for how long, by the state of its receiver', async () => {
  const columns = { rest_until: new Date(Date.now() + 3_600_000) }
  const made = await makeReceiver(server.db, columns)
  const ago = new Date(Date.now() - 90_000)
  for (const created_at of [ago, new Date()])
    await makeDelivery(server.db, made.id, { state: 'waiting', settled_at: null, created_at })
  await makeDelivery(server.db, made.id)
  await makeReceiver(server.db, { ...columns, state: 'paused', reason: 'gone', paused_at: ago })
  await makeReceiver(server.db, { archived_at: ago })
  const figures = async () =>
    Object.fromEntries(Object.entries(await read()).filter(([name]) => /^afluente_(receivers|deliveries_)/.test(name)))
  const age = expect.toSatisfy((seconds: number) => seconds >= 90 && seconds < 180)
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
    product.client.get(
      `/api/v1/leads/redirect/${ids.relationship_id}/?product_id=${ids.product_id}&external_id=${name}`,
    )
  await open('antes')
  // On a busy machine a click may come through the spool without any outage.
  await expect.poll(read).toMatchObject({ afluente_spool_records: 0 })
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
    60_000,
  )
})

test('the page of metrics is at its own address alone', async () => {
  expect((await prometheus.get('/')).status).toBe(404)
  expect((await prometheus.post('/metrics', {})).status).toBe(404)
  expect((await product.client.get('/metrics', { headers: { accept: 'application/json' } })).text).not.toContain(
    'afluente_',
  )
})

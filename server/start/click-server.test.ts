import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { writeTargets } from '../clicks/targets-file.ts'
import { type Config, readConfig } from '../config.ts'
import { closeServer, newHttpServer } from '../http/server.ts'
import { unmeasured } from '../monitoring/measures.ts'
import { Readiness } from '../readiness.ts'
import { makePair, startServer, TEST_SECRET, TestClient, type TestServer } from '../testing.ts'
import { type ClickServer, openClickServer } from './click-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

let config: Config
let readiness: Readiness
let clickServer: ClickServer
let client: TestClient
let ids: Awaited<ReturnType<typeof makePair>>['ids']
beforeEach(async () => {
  const { databaseUrl } = server
  ids = (await makePair(server.db)).ids
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'afluente-'))
  config = readConfig({ DATA_DIR, DATABASE_URL: databaseUrl, SECRET: TEST_SECRET, LOG_LEVEL: 'silent', SPOOL_MB: '1' })
  readiness = new Readiness()
  mkdirSync(join(DATA_DIR, 'spool'))
  const { relationship_id, product_id, affiliate_id, issuer_id } = ids
  const redirect_url = 'https://banco.ejemplo.mx/?ref={tracking_id}'
  const known = { relationship_id, product_id, affiliate_id, issuer_id, redirect_url, live: true }
  await writeTargets(join(DATA_DIR, 'spool/targets.jsonl'), [known])
  clickServer = await openClickServer({ config, databaseUrl, readiness, measures: unmeasured })
  await once(clickServer.server.listen({ host: '127.0.0.1', port: 0 }), 'listening')
  client = new TestClient(`http://127.0.0.1:${(clickServer.server.address() as AddressInfo).port}`)
})
afterEach(async () => {
  await clickServer.close()
  rmSync(config.dataDir, { recursive: true })
})

const linkOf = (product: number) => `/api/v1/leads/redirect/${ids.relationship_id}/?product_id=${product}`

/** Returns when the request has arrived, with its pending answer. */
async function ask(path: string, body?: unknown) {
  const arrived = once(clickServer.server, 'request')
  let status: number | undefined
  const answer = client.request(body ? 'POST' : 'GET', path, { body }).then((found) => {
    status = found.status
    return found
  })
  answer.catch(() => undefined) // checked later
  await arrived
  return { answer, status: () => status }
}

test('a click is answered while the rest of the program is still loading, all other requests as soon as it is there', async () => {
  const [health, unknown] = [await ask('/healthz'), await ask(linkOf(999_999))]
  const login = await ask('/api/v1/auth/login/', { email: 'a@b.mx', password: 'Incorrecta-1' })
  const click = await client.get(linkOf(ids.product_id))
  expect(click.status).toBe(302)
  const trackingId = new URL(click.headers.get('location') ?? '').searchParams.get('ref')
  expect([health, unknown, login].map(({ status }) => status())).toEqual([undefined, undefined, undefined])

  const { db, databaseUrl } = server
  const app = await buildApp({ db, databaseUrl, config, readiness, clickServer })
  expect((await health.answer).json()).toEqual({ status: 'ok' })
  // Whether it exists is unknown without a database.
  expect(await unknown.answer).toMatchObject({ status: 503 })
  expect((await login.answer).json()).toMatchObject({ success: false, meta: { code: 'UNAVAILABLE' } })
  readiness.declareReady()
  const { answer } = await ask('/api/v1/auth/login/', { email: 'a@b.mx', password: 'Incorrecta-1' })
  expect((await answer).status).toBe(401)
  expect((await client.get(linkOf(999_999))).status).toBe(404)
  await app.close()
  await expect(client.get('/healthz')).rejects.toThrow()
  const stored = db.selectFrom('lead').select('tracking_id').where('product_id', '=', ids.product_id)
  expect(clickServer.spool.has(trackingId ?? '') ? [{ tracking_id: trackingId }] : await stored.execute()).toEqual([
    { tracking_id: trackingId },
  ])
})

test('a server that stops while it is loading answers its clicks, and asks waiting requests to come back', async () => {
  const waiting = await ask('/healthz')
  const click = await ask(linkOf(ids.product_id))
  const closed = clickServer.close()
  const { status, headers } = await click.answer
  expect([status, headers.get('connection')]).toEqual([302, 'close'])
  const refusal = await waiting.answer
  expect([refusal.status, refusal.json().meta.code, refusal.headers.get('retry-after')]).toEqual([
    503,
    'UNAVAILABLE',
    '5',
  ])
  await closed
})

test('a server that stops waits for no unused connection, nor for ever for half a request', async () => {
  const { port } = clickServer.server.address() as AddressInfo
  const unused = connect(port, '127.0.0.1')
  await once(clickServer.server, 'connection')
  await closeServer(clickServer.server, 60_000)
  expect(unused.destroyed || (await once(unused, 'close'))).toBeTruthy()

  const other = newHttpServer()
  await once(other.listen({ host: '127.0.0.1', port: 0 }), 'listening')
  const slow = connect((other.address() as AddressInfo).port, '127.0.0.1', () => slow.write('GET / HT'))
  const [socket] = (await once(other, 'connection')) as [Socket]
  await expect.poll(() => socket.bytesRead).toBeGreaterThan(0)
  slow.on('error', () => undefined) // it may be reset
  await closeServer(other, 50)
  expect(socket.destroyed).toBe(true)
})

test('errors of a start are printed at its end when there never was a log', async () => {
  clickServer.log.say('error', { err: new Error('EIO') }, 'spool: not written')
  const said: string[] = []
  clickServer.log.endWith((text) => said.push(text))
  clickServer.log.endWith((text) => said.push(text))
  expect(said).toEqual(['spool: not written: EIO'])
})

test('what HTTP does not allow is refused from the start', async () => {
  const answer = await client.get('/healthz', { headers: { 'x-long': 'x'.repeat(20_000) } })
  expect([answer.status, answer.json().meta.code]).toEqual([431, 'HEADERS_TOO_LARGE'])
})

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePair, startServer, type TestClient, type TestServer } from '../testing.ts'

const FRIEND = 'https://app.ejemplo.mx'
let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer({ CORS_ORIGINS: FRIEND, PUBLIC_URL: 'https://afluente.mx' })
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const answers: [what: string, method: string, path: string, status: number][] = [
  ['a list', 'GET', '/api/v1/products/', 200],
  ['a list by another spelling', 'GET', '/%61pi/v1/products/', 200],
  ['a missing row', 'GET', '/api/v1/products/999999/', 404],
  ['a wrong method', 'PATCH', '/api/v1/products/', 405],
  ['an unknown path', 'GET', '/api/v1/nothing/', 404],
  ['a bad query', 'GET', '/api/v1/products/?page=0', 400],
  ['a badly encoded address', 'GET', '/api/v1/products/%E0%A4%A/', 400],
  ['the API without a version', 'GET', '/api', 404],
  ['a missing file', 'GET', '/assets/nothing.js', 404],
  ['a hidden file', 'GET', '/.git/config', 404],
  ['a method of no page', 'POST', '/', 404],
  ['the health of the process', 'GET', '/healthz', 200],
  // The test cluster runs without fsync, which is a reason not to be ready.
  ['the health of what it needs', 'GET', '/readyz', 503],
]
test.each(answers)('%s is data that nothing may run, frame, store or sniff', async (_what, method, path, status) => {
  const answer = await admin.request(method, path)
  expect(answer.status).toBe(status)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  })
  expect(answer.headers.has('set-cookie')).toBe(false)
  expect(answer.headers.has('x-powered-by')).toBe(false)
})

test('a database that is not durable is named as the reason not to be ready', async () => {
  expect((await admin.get('/readyz')).json()).toEqual({ status: 'unavailable', reasons: ['durability'] })
})

test('a database that takes no writes, as a standby, is named as the reason not to be ready', async () => {
  const takeWrites = (yes: boolean) =>
    sql`do ${sql.lit(`begin execute format(
    'alter database %I set default_transaction_read_only = ${yes ? 'off' : 'on'}', current_database()); end`)}`
  const endOthers = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  const reasons = async () => (await admin.get('/readyz')).json().reasons
  await server.db.connection().execute(async (owner) => {
    await takeWrites(false).execute(owner)
    await endOthers.execute(owner)
    await expect.poll(reasons).toEqual(['read only'])
    await takeWrites(true).execute(owner)
    await endOthers.execute(owner)
  })
  await expect.poll(reasons).toEqual(['durability'])
})

test('behind TLS every route has a Strict-Transport-Security header', async () => {
  for (const path of ['/api/v1/products/', '/api/v1/nothing/', '/healthz', '/'])
    expect((await admin.get(path)).headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
})

test('behind TLS every answer to a click has it, too', async () => {
  const { ids } = await makePair(server.db)
  const link = (id: string) => `/api/v1/leads/redirect/${id}/?product_id=${ids.product_id}`
  // The second is one that only the framework can read.
  const known = [String(ids.relationship_id), String(ids.relationship_id).padStart(20, '0')]
  for (const [id, status] of [...known.map((id) => [id, 302] as const), ['999999', 404] as const]) {
    const { headers, ...answer } = await server.anonymous.get(link(id))
    expect([answer.status, headers.get('strict-transport-security')]).toEqual([
      status,
      'max-age=31536000; includeSubDomains',
    ])
  }
})

const preflight = (origin: string, method: string) =>
  server.anonymous.request('OPTIONS', '/api/v1/products/', {
    headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' },
  })

test.each(['GET', 'POST', 'PUT', 'DELETE'])('a page of an allowed origin may %s', async (method) => {
  const { headers } = await preflight(FRIEND, method)
  expect(headers.get('access-control-allow-origin')).toBe(FRIEND)
  expect(headers.get('access-control-allow-methods')?.split(', ')).toContain(method)
  expect(headers.get('access-control-allow-headers')).toBe('authorization')
  expect(headers.has('access-control-allow-credentials')).toBe(false)
})

test.each([
  'null',
  'https://malo.mx',
  'http://app.ejemplo.mx',
  `${FRIEND}.malo.mx`,
  'https://xapp.ejemplo.mx',
  `${FRIEND}:8443`,
])('a page of %s may read nothing', async (origin) => {
  expect((await preflight(origin, 'GET')).headers.has('access-control-allow-origin')).toBe(false)
  const answer = await admin.get('/api/v1/products/', { headers: { origin } })
  expect(answer.headers.has('access-control-allow-origin')).toBe(false)
})

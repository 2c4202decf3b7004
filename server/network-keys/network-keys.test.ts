import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pathOf } from '#contract/endpoint.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { type KeyScope, opens } from '#contract/key-scopes.ts'
import { networkKeys } from '#contract/network-keys.ts'
import { makeEntry, makePair, makePayment } from '#db/factories.ts'
import { EVENTS } from '../events/testing.ts'
import { startServer, type TestAnswer, TestClient, type TestServer } from '../testing.ts'

const BASE = networkKeys.list.path

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

async function makeKey(scope: KeyScope = 'all', name = 'Almacén de datos') {
  const answer = await admin.post(BASE, { name, scope, days: 90 })
  expect(answer.status).toBe(201)
  const { id, key } = answer.json().data
  return { id, key, client: new TestClient(server.origin, { 'x-api-key': key }) }
}
const codeOf = (answer: TestAnswer) => [answer.status, answer.json().meta.code]
const listed = async (id: number) => (await admin.get(BASE)).json().data.find((each: { id: number }) => each.id === id)

test('a key is shown once, kept as a hash, and in the trail without itself', async () => {
  const { id, key } = await makeKey('money', 'Conciliación del banco')
  expect(key).toMatch(/^net_[0-9A-Za-z]{4}_[0-9A-Za-z]{42}$/)
  const row = await server.db.selectFrom('network_key').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toContain(key.slice(9))
  expect(Date.parse(row.expires_at) - Date.now()).toBeGreaterThan(89.9 * 86_400_000)
  const found = await listed(id)
  expect(found).toMatchObject({
    name: 'Conciliación del banco',
    scope: 'money',
    prefix: key.slice(0, 8),
    revoked_at: null,
  })
  expect(found.key).toBeUndefined()
  const trail = (await admin.get('/api/v1/audit/?entity=network_key')).json().data.results[0]
  expect(trail).toMatchObject({ action: 'create', entity_id: id, label: 'Conciliación del banco' })
  expect(JSON.stringify(trail)).not.toContain(key)
})

test('repeated with the same Idempotency-Key it makes one key, and shows it no second time', async () => {
  const ask = () =>
    admin.post(BASE, { name: 'Repetida', scope: 'all', days: 30 }, { headers: { 'idempotency-key': once } })
  const once = randomUUID()
  const [first, second] = [await ask(), await ask()]
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.json().data).toEqual({ ...first.json().data, key: null })
})

const reads = allEndpoints.filter(
  ({ endpoint: { byKey, access } }) => byKey && Array.isArray(access) && access.includes('admin'),
)

test.each(['leads', 'money', 'all'] as const)('the scope %s opens its part and no other', async (scope) => {
  const { client } = await makeKey(scope)
  const { ids } = await makePair(server.db)
  const [entry, payment] = [await makeEntry(server.db, ids, {}), await makePayment(server.db, ids)]
  const wrong: unknown[] = []
  for (const { name, endpoint } of reads) {
    const id = /payment/i.test(name) ? payment.id : /leads/.test(name) ? entry.lead_id : ids.product_id
    const { status } = await client.get(pathOf(endpoint, { id, table: 'rendimiento-dias' }))
    // No file was uploaded whose rows could be exported.
    const opened = name === 'exports.importRows' ? 404 : 200
    const expected = endpoint.byKey && opens(scope, endpoint.byKey) ? opened : 403
    if (status !== expected) wrong.push([name, status])
  }
  expect(wrong).toEqual([])
})

test('nothing else opens: no change, no person, no key, no secret', async () => {
  const { client } = await makeKey()
  const closed = allEndpoints.filter(({ endpoint }) => Array.isArray(endpoint.access) && !endpoint.byKey)
  const answers = await Promise.all(
    closed.map(async ({ name, endpoint }) => [
      name,
      (await client.request(endpoint.method, pathOf(endpoint, { id: 1 }))).status,
    ]),
  )
  expect(answers.filter(([, status]) => status !== 403)).toEqual([])
  expect(codeOf(await client.get(EVENTS))).toEqual([401, 'INVALID_API_KEY'])
})

test('its use is noted, with the network', async () => {
  const { id, client } = await makeKey()
  expect((await listed(id)).last_used_at).toBeNull()
  expect((await client.get('/api/v1/leads/')).status).toBe(200)
  await expect.poll(async () => (await listed(id)).last_used_from).toBe('127.0.0.0/24')
})

test('revoked it stops at once, and again changes nothing; what ended is nobody', async () => {
  const { id, client } = await makeKey()
  expect((await client.get('/api/v1/leads/')).status).toBe(200)
  const path = pathOf(networkKeys.revoke, { id })
  expect([(await admin.delete(path)).status, (await admin.delete(path)).status]).toEqual([204, 204])
  expect(codeOf(await client.get('/api/v1/leads/'))).toEqual([401, 'INVALID_API_KEY'])
  const trail = (await admin.get('/api/v1/audit/?entity=network_key&action=revoke_key')).json().data.results
  expect(trail.filter((each: { entity_id: number }) => each.entity_id === id)).toHaveLength(1)
  const late = await makeKey()
  await server.db
    .updateTable('network_key')
    .set({ created_at: new Date(Date.now() - 2_000), expires_at: new Date(Date.now() - 1_000) })
    .where('id', '=', late.id)
    .execute()
  expect(codeOf(await late.client.get('/api/v1/leads/'))).toEqual([401, 'INVALID_API_KEY'])
  expect((await admin.delete(pathOf(networkKeys.revoke, { id: 999_999_999 }))).status).toBe(404)
})

test('only a responsable who has just shown who they are makes and revokes keys', async () => {
  const body = { name: 'Otra', scope: 'all', days: 30 }
  for (const duty of ['operator', 'finance', 'reader'])
    expect(codeOf(await (await withPerson({ duty })).post(BASE, body))).toEqual([403, 'FORBIDDEN'])
  const stale = await withPerson({}, { elevated_until: null })
  expect(codeOf(await stale.post(BASE, body))).toEqual([403, 'ELEVATION_REQUIRED'])
})

/** An administrator whose account and session are changed first, before the server knows them. */
async function withPerson(user: { duty?: string }, session: { elevated_until?: null } = {}): Promise<TestClient> {
  const client = await server.as({ role: 'admin' })
  const { id } = await server.db.selectFrom('user').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
  if (user.duty) await server.db.updateTable('user').set(user).where('id', '=', id).execute()
  if ('elevated_until' in session)
    await server.db.updateTable('session').set({ elevated_until: null }).where('user_id', '=', id).execute()
  return client
}

test('what is wrong is said by its field; past twenty there is no room', async () => {
  const bad = await admin.post(BASE, { name: 'x', scope: 'todo', days: 31 })
  expect(bad.status).toBe(422)
  expect(Object.keys(bad.json().meta.field_errors)).toEqual(['name', 'scope', 'days'])
  await server.db.updateTable('network_key').set({ revoked_at: new Date() }).execute()
  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, at) => admin.post(BASE, { name: `Clave ${at}`, scope: 'all', days: 30 })),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
  expect(codeOf(answers.find(({ status }) => status !== 201) as TestAnswer)).toEqual([409, 'TOO_MANY_KEYS'])
})

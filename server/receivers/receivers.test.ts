import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DeliveryDetail } from '#contract/deliveries.ts'
import type { ReceiverPreview, ReceiverSecret } from '#contract/receivers.ts'
import { makeDelivery } from '#db/factories.ts'
import {
  answering,
  deliveriesOf,
  makeReceiver,
  ok,
  RECEIVERS,
  startReceiver,
  type TestReceiver,
} from '../deliveries/deliveries.testing.ts'
import { EVENTS, type Funnel, makeFunnel } from '../events/testing.ts'
import { makeLead, makePair, startServer, TestClient, type TestServer } from '../testing.ts'

let server: TestServer
let trial: TestServer
let outside: TestReceiver
beforeAll(async () => {
  server = await startServer()
  trial = await startServer({ DELIVER_TO_LOOPBACK: '1' })
  outside = await startReceiver()
})
afterAll(() => Promise.all([server.stop(), trial.stop(), outside.close()]))

let funnel: Funnel
let affiliate: TestClient
beforeEach(async () => {
  funnel = await makeFunnel(server)
  affiliate = await server.as({ role: 'affiliate', affiliateId: funnel.affiliate.id })
})

const URL_ = 'https://red.example.mx/p?s={external_id}&e={status}&m={payout}'
const form = { name: 'Mi rastreador', url: URL_, method: 'GET', types: ['lead.event'] }

const errorsOf = async (asked: ReturnType<TestClient['post']>) => {
  const answer = await asked
  return [answer.status, answer.json().meta.field_errors ?? answer.json().meta.code]
}

test('is made, changed in part, and removed', async () => {
  const made = await ok<{ id: number }>(affiliate.post(RECEIVERS, form))
  expect(made).toMatchObject({ ...form, state: 'active', waiting: 0, per_second: 10, skip_without_external_id: true })
  const path = `${RECEIVERS}${made.id}/`
  const changed = await ok(affiliate.put(path, { per_second: 3, product_id: funnel.product.id }))
  expect(changed).toMatchObject({ ...form, per_second: 3, product_name: funnel.product.name })
  expect(await ok(affiliate.put(path, {}))).toMatchObject({ per_second: 3, product_id: funnel.product.id })
  expect((await affiliate.delete(path)).status).toBe(204)
  expect(await ok(affiliate.get(RECEIVERS))).toEqual([])
  expect((await affiliate.get(path)).status).toBe(404)
})

test.for([
  ['http://red.example.mx/', 'La dirección debe ser https y de un equipo público.'],
  ['https://10.0.0.1/', 'La dirección debe ser https y de un equipo público.'],
  ['https://{external_id}.example.mx/', 'La dirección debe ser https y de un equipo público.'],
  ['https://red.example.mx/?s={clickid}', 'La macro {clickid} no existe.'],
])('%s: %s', async ([url, message]) => {
  expect(await errorsOf(affiliate.post(RECEIVERS, { ...form, url }))).toEqual([422, { url: [message] }])
  expect(await errorsOf(affiliate.post(`${RECEIVERS}preview/`, { url, method: 'GET' }))).toEqual([
    422,
    { url: [message] },
  ])
})

test('a product of others is no product', async () => {
  const other = await makePair(server.db)
  expect((await errorsOf(affiliate.post(RECEIVERS, { ...form, product_id: other.product.id })))[0]).toBe(422)
})

test('only payments of one product would never be sent, whichever of the two is chosen last', async () => {
  const message = 'Un pago no es de un solo producto: elige todos los productos o marca otro evento'
  const payments = { types: ['payment.created', 'payment.paid'] }
  const product_id = funnel.product.id
  const refused = [422, { types: [message] }]
  expect(await errorsOf(affiliate.post(RECEIVERS, { ...form, ...payments, product_id }))).toEqual(refused)
  const { id } = await makeReceiver(affiliate, URL_, payments)
  expect(await errorsOf(affiliate.put(`${RECEIVERS}${id}/`, { product_id }))).toEqual(refused)
  const both = { types: ['lead.event', 'payment.paid'], product_id, event_types: [3] }
  expect(await ok(affiliate.put(`${RECEIVERS}${id}/`, both))).toMatchObject(both)
  expect(await errorsOf(affiliate.put(`${RECEIVERS}${id}/`, payments))).toEqual(refused)
  const event_types = await errorsOf(affiliate.put(`${RECEIVERS}${id}/`, { event_types: [6] }))
  expect(event_types).toEqual([422, { 'event_types.0': ['Tipo de evento no válido'] }])
})

test('a product that is no longer seen stays while something else changes', async () => {
  const { id } = await makeReceiver(affiliate, URL_, { product_id: funnel.product.id })
  await server.db
    .updateTable('relationship')
    .set({ relationship_status: 'inactive' })
    .where('affiliate_id', '=', funnel.affiliate.id)
    .execute()
  const same = { name: 'Otro nombre', product_id: funnel.product.id }
  expect(await ok(affiliate.put(`${RECEIVERS}${id}/`, same))).toMatchObject(same)
  expect((await errorsOf(affiliate.post(RECEIVERS, { ...form, product_id: funnel.product.id })))[0]).toBe(422)
})

test('five of a company, also when ten come at once', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => affiliate.post(RECEIVERS, form)))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(5).fill(409)])
  expect(await ok(affiliate.get(RECEIVERS))).toHaveLength(5)
})

test('a preview shows the newest own lead, encoded; an invented one to who has none', async () => {
  const preview = (client: TestClient, body: object) => ok<ReceiverPreview>(client.post(`${RECEIVERS}preview/`, body))
  const stranger = await server.as({ role: 'affiliate', affiliateId: (await makePair(server.db)).affiliate.id })
  expect(await preview(stranger, { url: URL_, method: 'GET' })).toEqual({
    url: 'https://red.example.mx/p?s=visita-1&e=aprobado&m=500.00',
    body: null,
    clicked_at: null,
  })
  const lead = await makeLead(server.db, { ...funnel.ids, external_id: 'a/../b&c=1 ñ' })
  await ok(funnel.client.post(EVENTS, { tracking_id: lead.tracking_id, event_type: 'aprobado' }))
  const own = await preview(affiliate, { url: URL_, method: 'GET', status_map: { aprobado: 'sale' } })
  expect(own).toMatchObject({
    url: 'https://red.example.mx/p?s=a%2F..%2Fb%26c%3D1%20%C3%B1&e=sale&m=500.00',
    clicked_at: lead.created_at,
  })
  const { body } = await preview(affiliate, { url: URL_, method: 'POST' })
  expect(JSON.parse(body ?? '')).toMatchObject({ type: 'lead.event', data: { external_id: 'a/../b&c=1 ñ' } })
  expect(body).not.toContain('affiliate_id')
})

test('its secret is shown to its owner, recorded, and lies in the table sealed', async () => {
  const { id } = await makeReceiver(affiliate, URL_, { method: 'GET' })
  const { secret } = await ok<ReceiverSecret>(affiliate.get(`${RECEIVERS}${id}/secret/`))
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  const row = await server.db.selectFrom('receiver').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(row.secret.toString('latin1')).not.toContain(secret.slice(6, 20))
  const trail = await server.db
    .selectFrom('audit_entry')
    .select(['action', 'changes'])
    .where('entity', '=', 'receiver')
    .where('entity_id', '=', id)
    .execute()
  expect(trail.map(({ action }) => action)).toEqual(['create', 'reveal_key'])
  expect(JSON.stringify(trail)).not.toContain('/p?s=')
})

test('who only reads, and who looks as somebody, see neither its secret nor the token in its address', async () => {
  const { id } = await makeReceiver(affiliate, 'https://red.example.mx/secreto-7/p?k=secreto-7&s={external_id}')
  const path = `${RECEIVERS}${id}/`
  const delivery = await makeDelivery(server.db, id, { attempts: 1 })
  const request_url = 'https://red.example.mx/secreto-7/p?k=secreto-7&s=1'
  const attempt = { delivery_id: delivery.id, number: 1, ms: 1, status: 200, request_url }
  await server.db.insertInto('delivery_attempt').values(attempt).execute()
  const shown = async (client: TestClient) => {
    const paths = [path, RECEIVERS, `/api/v1/deliveries/${delivery.id}/`]
    const texts = await Promise.all(paths.map(async (each) => (await client.get(each)).text))
    for (const text of texts) expect(text).toContain('https://red.example.mx/')
    const sees = texts.map((text) => text.includes('secreto-7'))
    expect(new Set(sees).size).toBe(1)
    return [sees[0], (await client.get(`${path}secret/`)).status]
  }
  const user = (await ok<{ id: number }>(affiliate.get('/api/v1/auth/profile/'))).id
  const admin = await server.as({ role: 'admin' })
  const { access } = await ok<{ access: string }>(admin.post(`/api/v1/auth/users/${user}/view-as/`))
  const view = new TestClient(server.origin, { authorization: `Bearer ${access}` })
  expect(await shown(view)).toEqual([false, 403])
  for (const [duty, sees] of [
    ['operator', [true, 200]],
    ['finance', [false, 403]],
    ['reader', [false, 403]],
    ['owner', [true, 200]],
  ]) {
    await ok(admin.put(`/api/v1/auth/users/${user}/`, { duty }))
    expect([duty, await shown(affiliate)]).toEqual([duty, sees])
  }
})

test('who operates reads its secret, and does not change it', async () => {
  const { id } = await makeReceiver(affiliate, URL_)
  const path = `${RECEIVERS}${id}/secret/`
  const before = await ok<ReceiverSecret>(affiliate.get(path))
  const user = (await ok<{ id: number }>(affiliate.get('/api/v1/auth/profile/'))).id
  const admin = await server.as({ role: 'admin' })
  await ok(admin.put(`/api/v1/auth/users/${user}/`, { duty: 'operator' }))
  const refused = await affiliate.post(path)
  expect([refused.status, refused.json().message]).toEqual([403, 'Tu perfil no incluye esta acción'])
  expect(await ok(affiliate.get(path))).toEqual(before)
})

test('a repeated request for another secret is given none, and no table holds it', async () => {
  const admin = await server.as({ role: 'admin' })
  const { id } = await makeReceiver(admin, 'https://red.example.mx/todo')
  const rotate = () =>
    ok<{ secret: string | null }>(
      admin.post(`${RECEIVERS}${id}/secret/`, undefined, { headers: { 'idempotency-key': `secreto-${id}` } }),
    )
  const { secret } = await rotate()
  const kept = await server.db.selectFrom('idempotency').selectAll().where('key', '=', `secreto-${id}`).execute()
  expect(JSON.stringify(kept)).not.toContain(secret)
  expect((await rotate()).secret).toBeNull()
  await ok(admin.delete(`${RECEIVERS}${id}/`))
})

test("the administrator has the network's, and no company's", async () => {
  const admin = await server.as({ role: 'admin' })
  const own = await makeReceiver(affiliate, URL_)
  const network = await makeReceiver(admin, 'https://red.example.mx/todo')
  expect((await admin.get(`${RECEIVERS}${own.id}/`)).status).toBe(404)
  const listed = await ok<{ id: number }[]>(admin.get(RECEIVERS))
  expect(listed.map(({ id }) => id)).toEqual([network.id])
})

test('a test says what was answered, is in the log, and changes nothing', async () => {
  const { affiliate: company } = await makePair(trial.db)
  const client = await trial.as({ role: 'affiliate', affiliateId: company.id })
  const made = await makeReceiver(client, `${outside.url}/?s={status}&x={external_id}`, { method: 'GET' })
  outside.behave = answering(500)
  const bad = await ok<DeliveryDetail>(client.post(`${RECEIVERS}${made.id}/test/`))
  expect(bad).toMatchObject({ type: 'test.ping', state: 'failed', tries: [{ status: 500, answer: 'estado 500' }] })
  expect(outside.got[0]?.url).toBe('/?s=test&x=')
  outside.behave = answering(200)
  expect(await ok(client.post(`${RECEIVERS}${made.id}/test/`))).toMatchObject({ state: 'delivered' })
  expect(await deliveriesOf(client, made)).toHaveLength(2)
  expect(await ok(client.get(`${RECEIVERS}${made.id}/`))).toMatchObject({ state: 'active', failing_since: null })
  const many = await Promise.all(Array.from({ length: 10 }, () => client.post(`${RECEIVERS}${made.id}/test/`)))
  expect(many.filter(({ status }) => status === 429)).toHaveLength(2)
})

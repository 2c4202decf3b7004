import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CompanyAccess } from '#contract/companies.ts'
import type { ReceivedPostback } from '#contract/integration.ts'
import { EVENTS, type Funnel, makeFunnel } from '../events/testing.ts'
import { type Actor, makeUser, startServer, type TestClient, type TestServer } from '../testing.ts'

const ISSUERS = '/api/v1/issuers/'
let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer({ TRUST_PROXY: '1' })
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

/** An issuer that reports with the key it has always had, and a person of it. */
async function makeWorld() {
  const funnel = await makeFunnel(server)
  const path = `${ISSUERS}${funnel.issuer.id}/`
  return { ...funnel, path, own: await server.as({ role: 'issuer', issuerId: funnel.issuer.id }) }
}

let count = 0
const FROM = { 'x-forwarded-for': '203.0.113.77:4000' }

/** An event with its signature by `secret`, unsigned without one. */
function send({ lead }: Pick<Funnel, 'lead'>, key: string, secret?: string | Buffer) {
  count += 1
  const rawBody = JSON.stringify({ tracking_id: lead.tracking_id, event_type: 'step_1', event_id: `e-${count}` })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const mac = secret && createHmac('sha256', secret).update(`msg.${timestamp}.${rawBody}`).digest('base64')
  const signature = { 'webhook-id': 'msg', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` }
  const headers = { 'content-type': 'application/json', 'x-api-key': key, ...FROM, ...(mac && signature) }
  return server.anonymous.request('POST', EVENTS, { rawBody, headers })
}
const outcome = async (sending: ReturnType<typeof send>) => {
  const answer = await sending
  return answer.status === 201 ? 201 : answer.json().meta.code
}
const bytesOf = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
const ask = async (client: TestClient, path: string): Promise<CompanyAccess> =>
  (await client.get(`${path}access/`)).json().data
const secretFrom = async (answer: ReturnType<TestClient['post']>): Promise<string> =>
  (await answer).json().data.signing_secret

test.each(['own people', 'administrator'])('a key that leaked ends at once, whoever of %s changes it', async (who) => {
  const { own, path, key, ...funnel } = await makeWorld()
  expect(await outcome(send(funnel, key))).toBe(201)
  const answer = await (who === 'administrator' ? admin : own).post(`${path}api-key/`, { revoke_old: true })
  expect(answer.status).toBe(200)
  expect(await outcome(send(funnel, key))).toBe('INVALID_API_KEY')
  const { api_key: fresh } = (await own.get(path)).json().data
  expect(await outcome(send(funnel, fresh))).toBe(201)
})

test('a change without a word leaves the old key a day, and that can be ended, too', async () => {
  const { own, path, key, token, ...funnel } = await makeWorld()
  await own.post(`${path}api-key/`)
  await own.post(`${path}postback-token/`, {})
  expect(await outcome(send(funnel, key))).toBe(201)
  const old = (await ask(own, path)).keys.filter(({ expires_at }) => expires_at !== null)
  expect(old.map(({ kind }) => kind)).toEqual(['api', 'postback'])
  expect((await own.delete(`${path}old-keys/?kind=api`)).status).toBe(200)
  expect(await outcome(send(funnel, key))).toBe('INVALID_API_KEY')
  const postback = () =>
    server.anonymous.get(`/api/v1/events/postback/?token=${token}&cid=${funnel.lead.tracking_id}&event=step_1`)
  expect((await postback()).status).toBe(200)
  expect((await admin.delete(`${path}old-keys/`)).status).toBe(200)
  expect((await postback()).status).toBe(401)
  expect((await ask(own, path)).keys.map(({ expires_at }) => expires_at)).toEqual([null, null])
  expect((await own.delete(`${path}old-keys/?kind=nada`)).status).toBe(400)
})

test.each(['api-key', 'postback-token', 'signing-secret'])(
  'no more than ten old ones of %s are valid',
  async (kind) => {
    const { own, path } = await makeWorld()
    // An issuer that never had a signing secret has none that becomes old.
    await own.post(`${path}${kind}/`, { revoke_old: true })
    const change = (form = {}) => own.post(`${path}${kind}/`, form)
    const answers = await Promise.all(Array.from({ length: 15 }, () => change()))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), ...Array(5).fill(409)])
    expect((await change()).json().meta.code).toBe('TOO_MANY_OLD_KEYS')
    expect((await change({ revoke_old: true })).status).toBe(200)
    expect((await change()).status).toBe(200)
  },
)

test('an affiliate ends its old key at once', async () => {
  const { affiliate } = await makeWorld()
  const own = await server.as({ role: 'affiliate', affiliateId: affiliate.id })
  const path = `/api/v1/affiliates/${affiliate.id}/`
  await own.post(`${path}api-key/`)
  await own.post(`${path}api-key/`)
  expect((await ask(own, path)).keys).toHaveLength(2)
  expect((await own.post(`${path}api-key/`, { revoke_old: true })).status).toBe(200)
  expect((await ask(own, path)).keys).toMatchObject([{ kind: 'api', expires_at: null }])
  expect((await own.post(`${path}api-key/`, { revoke_old: 'sí' })).json().meta.field_errors).toHaveProperty(
    'revoke_old',
  )
})

test('the API key signs until there is a signing secret, and a day beside the first one', async () => {
  const { own, path, key, issuer, ...funnel } = await makeWorld()
  expect(await outcome(send(funnel, key, key))).toBe(201)
  expect((await ask(own, path)).key_signs_until).toBeNull()
  const secret = await secretFrom(own.post(`${path}signing-secret/`))
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(await outcome(send(funnel, key, bytesOf(secret)))).toBe(201)
  expect(await outcome(send(funnel, key, key))).toBe(201)
  expect(await outcome(send(funnel, key, secret))).toBe('INVALID_SIGNATURE')
  const hours = (Date.parse((await ask(own, path)).key_signs_until ?? '') - Date.now()) / 3_600_000
  expect([hours > 23.9, hours <= 24]).toEqual([true, true])
  await server.db
    .updateTable('issuer')
    .set({ key_signs_until: new Date(Date.now() - 1) })
    .where('id', '=', issuer.id)
    .execute()
  await expect.poll(() => outcome(send(funnel, key, key)), { timeout: 20_000, interval: 50 }).toBe('INVALID_SIGNATURE')
  expect(await outcome(send(funnel, key))).toBe(201)
  expect(await outcome(send(funnel, key, bytesOf(secret)))).toBe(201)
})

test('signing secrets overlap like keys, and the old one ends at once when asked', async () => {
  const { own, path, key, ...funnel } = await makeWorld()
  const first = await secretFrom(own.post(`${path}signing-secret/`, { revoke_old: true }))
  expect(await outcome(send(funnel, key, key))).toBe('INVALID_SIGNATURE')
  const second = await secretFrom(own.post(`${path}signing-secret/`))
  for (const secret of [first, second]) expect(await outcome(send(funnel, key, bytesOf(secret)))).toBe(201)
  const third = await secretFrom(own.post(`${path}signing-secret/`, { revoke_old: true }))
  for (const secret of [first, second]) expect(await outcome(send(funnel, key, bytesOf(secret)))).not.toBe(201)
  expect(await outcome(send(funnel, key, bytesOf(third)))).toBe(201)
  expect((await own.get(path)).json().data.signing_secret).toBe(third)
  expect((await admin.get(path)).text).not.toContain('signing_secret')
})

test('an issuer created today has a signing secret, and its API key never signs', async () => {
  const { own, ...funnel } = await makeWorld()
  const form = {
    company_name: 'Banco Firmado',
    rfc: 'BFI010101AB1',
    contact_name: 'Luz',
    contact_email: 'luz@banco.example.mx',
  }
  const { id } = (await admin.post(ISSUERS, form)).json().data
  const person = await server.as({ role: 'issuer', issuerId: id })
  const { api_key, signing_secret } = (await person.get(`${ISSUERS}${id}/`)).json().data
  expect(await outcome(send(funnel, api_key, api_key))).toBe('INVALID_SIGNATURE')
  expect(await outcome(send(funnel, api_key, bytesOf(signing_secret)))).toBe('UNKNOWN_TRACKING_ID')
})

test('once signatures are required, whatever is unsigned is refused and listed', async () => {
  const { own, path, key, token, ...funnel } = await makeWorld()
  const required = `${path}required-signature/`
  const without = await own.put(required)
  expect([without.status, without.json().meta.code]).toEqual([409, 'NO_SIGNING_SECRET'])
  const secret = bytesOf(await secretFrom(own.post(`${path}signing-secret/`)))
  expect((await own.put(required)).json().message).toBe('Desde ahora se rechaza todo evento sin firma')
  expect((await own.put(required)).status).toBe(200)
  expect(await outcome(send(funnel, key))).toBe('SIGNATURE_REQUIRED')
  expect(await outcome(send(funnel, key, secret))).toBe(201)
  const events = [{ tracking_id: funnel.lead.tracking_id, event_type: 'step_2' }]
  const batch = await funnel.client.post(`${EVENTS}batch/`, { events })
  const macro = await server.anonymous.get(
    `/api/v1/events/postback/?token=${token}&cid=${funnel.lead.tracking_id}&event=step_2`,
    { headers: FROM },
  )
  for (const answer of [batch, macro])
    expect([answer.status, answer.json().meta.code]).toEqual([401, 'SIGNATURE_REQUIRED'])
  expect((await funnel.client.get(EVENTS)).status).toBe(200)
  const received: ReceivedPostback[] = (await own.get('/api/v1/integration/postbacks/')).json().data
  expect(received.map(({ code, source, sent_from }) => [code, source, sent_from])).toEqual([
    ['SIGNATURE_REQUIRED', 'postback', '203.0.113.0/24'],
    ['SIGNATURE_REQUIRED', 'api', '127.0.0.0/24'],
    ['STORED', 'api', '203.0.113.0/24'],
    ['SIGNATURE_REQUIRED', 'api', '203.0.113.0/24'],
  ])
  expect((await admin.delete(required)).status).toBe(200)
  expect(await outcome(send(funnel, key))).toBe(201)
  const switches = (await ask(own, path)).trail.filter(({ signature_required: is }) => is !== null)
  expect(switches.map((row) => [row.signature_required, row.actor_role])).toEqual([
    [false, 'admin'],
    [true, 'issuer'],
  ])
})

test('another copy of the server learns at once of a key that ends', async () => {
  const { own, path, key, issuer, ...funnel } = await makeWorld()
  await own.post(`${path}api-key/`)
  expect(await outcome(send(funnel, key))).toBe(201)
  // As another copy does it: this one is told by the database.
  await server.db
    .updateTable('api_key')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('issuer_id', '=', issuer.id)
    .where('expires_at', 'is not', null)
    .execute()
  await expect.poll(() => outcome(send(funnel, key)), { timeout: 4_000, interval: 10 }).toBe('INVALID_API_KEY')
})

test('its people see who has an account, who saw or changed a key, and where each was used last', async () => {
  const { own, path, key, issuer, ...funnel } = await makeWorld()
  const actor: Actor = { role: 'issuer', issuerId: issuer.id }
  await send(funnel, key)
  const ghost = (
    await admin.post('/api/v1/auth/users/', {
      email: `fantasma${issuer.id}@pruebas.mx`,
      first_name: 'Ana',
      last_name: 'Prueba',
      password: 'tres caballos azules',
      role: 'issuer',
      issuer_id: issuer.id,
      affiliate_id: null,
    })
  ).json().data
  await makeUser(server.db, actor, { first_name: 'Vieja', archived_at: new Date(Date.now() - 91 * 86_400_000) })
  await own.get(path)
  await own.get(path)
  await admin.post(`${path}api-key/`, { revoke_old: true })
  await admin.delete(`/api/v1/auth/users/${ghost.id}/`)
  await expect.poll(async () => (await ask(own, path)).keys.length, { timeout: 20_000 }).toBe(2)
  const access = await ask(own, path)
  expect(access.people).toMatchObject([
    { full_name: 'Ana Prueba', removed_at: null },
    { id: ghost.id, email: ghost.email, removed_at: expect.any(String), last_login: null },
  ])
  expect(access.trail).toMatchObject([
    { action: 'delete', entity: 'user', person: 'Ana Prueba', actor_name: '', actor_role: 'admin' },
    { action: 'rotate_key', kind: 'api', revoked_old: true, actor_name: '', actor_role: 'admin' },
    { action: 'reveal_key', entity: 'issuer', times: 2, actor_name: 'Ana Prueba', actor_role: 'issuer' },
    { action: 'create', entity: 'user', person: 'Ana Prueba', actor_role: 'admin' },
  ])
  expect((await ask(admin, path)).trail[0]?.actor_name).toBe('Ana Prueba')
  expect(JSON.stringify(access)).not.toContain(key.slice(8))
})

test('the last use of a key shows when and from which network', async () => {
  const { own, path, key, ...funnel } = await makeWorld()
  await send(funnel, key)
  await expect
    .poll(async () => (await ask(own, path)).keys.find(({ kind }) => kind === 'api'), { timeout: 20_000 })
    .toMatchObject({ last_used_at: expect.any(String), last_used_from: '203.0.113.0/24', prefix: key.slice(0, 8) })
})

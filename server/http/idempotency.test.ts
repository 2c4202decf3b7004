import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  makeAffiliate,
  makeIssuer,
  makePair,
  startServer,
  type TestClient,
  type TestServer,
  unique,
} from '../testing.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const form = async () => ({
  name: `Tarjeta ${unique()}`,
  description: 'Tarjeta de crédito sin anualidad',
  redirect_url: 'https://banco.example.mx/alta?ref={tracking_id}',
  issuer_id: (await makeIssuer(server.db)).id,
})
const post = (client: TestClient, body: unknown, key: string, path = '/api/v1/products/') =>
  client.post(path, body, { headers: { 'idempotency-key': key } })
const countOf = async (name: string) =>
  (await server.db.selectFrom('product').select('id').where('name', '=', name).execute()).length
const setCreated = (key: string, minutesAgo: number, columns = {}) =>
  server.db
    .updateTable('idempotency')
    .set({ created_at: new Date(Date.now() - minutesAgo * 60_000), ...columns })
    .where('key', '=', key)
    .execute()

test('the same request with the same key gets the first answer again', async () => {
  const body = await form()
  const [first, again] = [await post(admin, body, 'k-uno'), await post(admin, body, 'k-uno', '/api/v1/products')]
  expect([first.status, again.status]).toEqual([201, 201])
  expect(again.text).toBe(first.text)
  expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([null, 'true'])
  expect(await countOf(body.name)).toBe(1)
})

test('another body or another endpoint under the key is refused', async () => {
  const body = await form()
  await post(admin, body, 'k-dos')
  const person = {
    email: 'dos@pruebas.mx',
    first_name: 'Ana',
    last_name: 'Luz',
    password: 'una clave larga',
    role: 'admin',
  }
  const others = [
    await post(admin, { ...body, name: 'Otra' }, 'k-dos'),
    await post(admin, person, 'k-dos', '/api/v1/auth/users/'),
  ]
  for (const answer of others) expect([answer.status, answer.json().meta.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
})

test('ten at once do the work once', async () => {
  const body = await form()
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(admin, body, 'k-diez')))
  expect(await countOf(body.name)).toBe(1)
  for (const answer of answers) {
    expect([201, 409]).toContain(answer.status)
    if (answer.status === 409) expect(answer.json().meta.code).toBe('IN_PROGRESS')
  }
  expect(answers.filter((answer) => answer.status === 201).length).toBeGreaterThanOrEqual(1)
})

test('a run that died frees its key after a minute, not before', async () => {
  const body = await form()
  await post(admin, body, 'k-muerta')
  await setCreated('k-muerta', 0.5, { status: null, body: null })
  expect((await post(admin, body, 'k-muerta')).json().meta.code).toBe('IN_PROGRESS')
  await setCreated('k-muerta', 1.1, { status: null, body: null })
  expect((await post(admin, body, 'k-muerta')).status).toBe(201)
  expect(await countOf(body.name)).toBe(2)
})

test('after a day the key is a new one', async () => {
  const body = await form()
  await post(admin, body, 'k-vieja')
  await setCreated('k-vieja', 24 * 60 + 1)
  expect((await post(admin, { ...body, name: `${body.name} bis` }, 'k-vieja')).status).toBe(201)
})

test('a refused request stores nothing, so the corrected one may carry the key', async () => {
  const email = `clave${unique()}@pruebas.mx`
  const person = { email, first_name: 'Ana', last_name: 'Luz', password: 'password1', role: 'admin' }
  expect((await post(admin, person, 'k-mal', '/api/v1/auth/users/')).status).toBe(422)
  expect((await post(admin, { ...person, password: 'una clave larga' }, 'k-mal', '/api/v1/auth/users/')).status).toBe(
    201,
  )
})

test('two administrators may use the same key', async () => {
  const [body, other] = [await form(), await server.as({ role: 'admin' })]
  expect([(await post(admin, body, 'k-ambos')).status, (await post(other, body, 'k-ambos')).status]).toEqual([201, 201])
  expect(await countOf(body.name)).toBe(2)
})

test("an affiliate's postback, of which two would count each conversion twice, is added once", async () => {
  const { id } = await makeAffiliate(server.db)
  const affiliate = await server.as({ role: 'affiliate', affiliateId: id })
  const body = { name: 'Mi rastreador', url: 'https://red.example.mx/p', method: 'GET', types: ['lead.event'] }
  const add = (name = body.name) => post(affiliate, { ...body, name }, 'k-postback', '/api/v1/receivers/')
  const [first, again, other] = [await add(), await add(), await add('Otro')]
  expect([first.status, again.status, other.status]).toEqual([201, 201, 422])
  expect(again.text).toBe(first.text)
  const made = server.db.selectFrom('receiver').select('name').where('affiliate_id', '=', id)
  expect(await made.execute()).toEqual([{ name: 'Mi rastreador' }])
})

test("an issuer's commission and its next amount answer again what they answered", async () => {
  const { ids } = await makePair(server.db)
  const issuer = await server.as({ role: 'issuer', issuerId: ids.issuer_id })
  const twice = async (path: string, body: object) => {
    const [first, again] = [await post(issuer, body, `k${path}`, path), await post(issuer, body, `k${path}`, path)]
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text])
    return first.json().data.id
  }
  const { affiliate_id, product_id } = ids
  const commission_id = await twice('/api/v1/payouts/', {
    affiliate_id,
    product_id,
    name: 'Tarjeta aprobada',
    payout: '500',
  })
  await twice('/api/v1/rates/', { commission_id, amount: '600' })
  const rates = server.db.selectFrom('rate').select('amount').where('commission_id', '=', commission_id).orderBy('id')
  expect(await rates.execute()).toEqual([{ amount: '500.00' }, { amount: '600.00' }])
})

test.each(['con espacio', 'x'.repeat(256), ''])('the key %j is not one', async (key) => {
  expect((await post(admin, await form(), key)).status).toBe(400)
})

test('tokens of a sign-in are never stored', async () => {
  await post(admin, { email: 'nadie@pruebas.mx', password: 'una clave larga' }, 'k-login', '/api/v1/auth/login/')
  expect(await server.db.selectFrom('idempotency').select('key').where('key', '=', 'k-login').execute()).toEqual([])
})

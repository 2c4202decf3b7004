import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pathOf } from '#contract/endpoint.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { CONFIRM_WITH_FACTOR } from '#contract/second-factors.ts'
import { makePair, makePayment, makeReceiver } from '#db/factories.ts'
import { startServer, type TestClient, type TestServer, unique } from '../testing.ts'
import { bearing, makeAccount, PASSWORD, signIn, trailOf } from './testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ TRUST_PROXY: '1' })
})
afterAll(() => server.stop())

const REQUIRED = [403, 'ELEVATION_REQUIRED', 'Confirma que eres tú para continuar']
const network = () => `203.${unique() % 256}.${unique() % 256}.7`
const told = (answer: Awaited<ReturnType<TestServer['anonymous']['get']>>) => {
  const { message, meta } = answer.json()
  return [answer.status, meta.code, message]
}
const lower = (userId: number) =>
  server.db
    .updateTable('session')
    .set({ elevated_until: new Date(Date.now() - 1000).toISOString() })
    .where('user_id', '=', userId)
    .execute()

/** The server keeps what it read of a session for a moment; a call that would change something must not ask whether it is over. */
async function becomeLate(id: number, client: TestClient) {
  await lower(id)
  await expect.poll(async () => (await client.post('/api/v1/auth/users/', {})).status).toBe(403)
}

/** An administrator whose sign-in was a while ago. */
async function makeLate() {
  const { id, email } = await makeAccount(server)
  const { access } = (await signIn(server, email, PASSWORD, network())).json().data
  const client = bearing(server, access)
  await becomeLate(id, client)
  return { id, email, client }
}

/** The same with an application, of which no code was used yet. */
async function withTotp() {
  const person = await makeLate()
  await person.client.post('/api/v1/auth/elevate/', { password: PASSWORD })
  const { secret } = (await person.client.post('/api/v1/auth/second-factors/totp/')).json().data
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const confirmed = await person.client.post('/api/v1/auth/second-factors/totp/confirm/', { code: totp.generate() })
  const recovery: string = confirmed.json().data.recovery_codes[0]
  await server.db.updateTable('second_factor').set({ last_step: null }).where('user_id', '=', person.id).execute()
  return { ...person, totp, recovery }
}

const guarded = allEndpoints.filter(({ endpoint }) => endpoint.elevated)

test('what needs a confirmation says so, whoever asks', async () => {
  expect(guarded.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      ...['users.create', 'users.resetPassword', 'accessLinks.create', 'issuers.rotateKey', 'receivers.rotateSecret'],
      ...['receivers.create', 'receivers.secret', 'secondFactors.confirmTotp'],
      ...['privacy.correct', 'privacy.erase', 'privacy.open', 'issuers.remove', 'affiliates.remove'],
    ]),
  )
  const { client } = await makeLate()
  for (const { endpoint } of guarded.filter(({ endpoint }) => (endpoint.access as readonly string[]).includes('admin')))
    expect(told(await client.request(endpoint.method, pathOf(endpoint, { id: 1 })))).toEqual(REQUIRED)
})

test('a password confirms for ten minutes, in this session alone, and the trail has it', async () => {
  const { id, email, client } = await makeLate()
  const other = bearing(server, (await signIn(server, email, PASSWORD, network())).json().data.access)
  await lower(id)
  const wrong = await client.post('/api/v1/auth/elevate/', { password: 'una clave equivocada' })
  expect([wrong.status, Object.keys(wrong.json().meta.field_errors)]).toEqual([422, ['password']])
  const confirmed = await client.post('/api/v1/auth/elevate/', { password: PASSWORD })
  const minutes = (Date.parse(confirmed.json().data.elevated_until) - Date.now()) / 60_000
  expect(minutes).toBeCloseTo(10, 0)
  expect((await client.post('/api/v1/auth/users/', {})).status).toBe(422)
  expect(told(await other.post('/api/v1/auth/users/', {}))).toEqual(REQUIRED)
  expect(await trailOf(server, id)).toEqual(['login', 'login', 'elevate'])
  await lower(id)
  await expect.poll(async () => (await client.post('/api/v1/auth/users/', {})).status).toBe(403)
})

test('who has a second factor confirms with it or a recovery code: a password could take it away', async () => {
  const { id, client, totp, recovery } = await withTotp()
  const [factor] = (await client.get('/api/v1/auth/second-factors/')).json().data.factors
  const remove = () => client.delete(`/api/v1/auth/second-factors/${factor.id}/`)
  await becomeLate(id, client)
  expect((await remove()).status).toBe(403)
  for (const password of [PASSWORD, 'una clave equivocada']) {
    const refused = await client.post('/api/v1/auth/elevate/', { password })
    expect(refused.json()).toMatchObject({ meta: { field_errors: { password: [CONFIRM_WITH_FACTOR] } } })
  }
  expect((await remove()).status).toBe(403)
  expect((await client.post('/api/v1/auth/elevate/', { code: totp.generate() })).status).toBe(200)
  await becomeLate(id, client)
  expect((await client.post('/api/v1/auth/elevate/', { code: recovery })).status).toBe(200)
  expect((await remove()).status).toBe(204)
})

test('a code confirms once; passwords guessed with a stolen session meet the lock of the sign-in', async () => {
  const { client, totp } = await withTotp()
  const code = totp.generate()
  expect((await client.post('/api/v1/auth/elevate/', { code })).status).toBe(200)
  expect((await client.post('/api/v1/auth/elevate/', { code })).status).toBe(422)
  for (let count = 0; count < 4; count += 1)
    expect((await client.post('/api/v1/auth/elevate/', { code: '000000' })).status).toBe(422)
  expect((await client.post('/api/v1/auth/elevate/', { code: totp.generate() })).status).toBe(429)
  const plain = await makeLate()
  for (let count = 0; count < 5; count += 1)
    expect((await plain.client.post('/api/v1/auth/elevate/', { password: 'una clave equivocada' })).status).toBe(422)
  expect((await plain.client.post('/api/v1/auth/elevate/', { password: PASSWORD })).status).toBe(429)
})

test('thirty wrong codes in a session end its own guessing, and not the sign-in of its owner', async () => {
  const { email, client, totp } = await withTotp()
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const prove = async (code: string, address: string) =>
    (await client.post('/api/v1/auth/elevate/', { code }, from(address))).status
  for (let round = 0; round < 6; round += 1) {
    const address = network()
    for (let count = 0; count < 5; count += 1) expect(await prove('000000', address)).toBe(422)
  }
  expect(await prove(totp.generate(), network())).toBe(422)
  const { challenge } = (await signIn(server, email, PASSWORD, network())).json().data.second_factor
  const answer = { challenge, code: totp.generate() }
  expect((await server.anonymous.post('/api/v1/auth/login/second/', answer, from(network()))).status).toBe(200)
})

test('of the three ways exactly one is given', async () => {
  const { client } = await makeLate()
  for (const body of [{}, { password: PASSWORD, code: '123456' }])
    expect((await client.post('/api/v1/auth/elevate/', body)).status).toBe(422)
})

test('a receiver gets another address only after a confirmation', async () => {
  const { client } = await makeLate()
  const { id } = await makeReceiver(server.db, { url: 'https://red.example.mx/aviso' })
  const change = (body: object) => client.put(`/api/v1/receivers/${id}/`, body)
  expect(told(await change({ url: 'https://otra.example.mx/aviso' }))).toEqual(REQUIRED)
  expect((await change({ url: 'https://red.example.mx/aviso', name: 'Otro nombre' })).status).toBe(200)
  await client.post('/api/v1/auth/elevate/', { password: PASSWORD })
  expect((await change({ url: 'https://otra.example.mx/aviso' })).status).toBe(200)
})

test('a payment is marked as paid, its total changes, and a company gets a person, only after a confirmation', async () => {
  const { client } = await makeLate()
  const { ids } = await makePair(server.db)
  const payment = await makePayment(server.db, ids, { period_start: '2024-03-01', period_end: '2024-03-31' })
  const path = `/api/v1/payments/${payment.id}/`
  expect(told(await client.put(path, { payment_status: 'paid', payment_date: '2024-04-01' }))).toEqual(REQUIRED)
  expect((await client.put(path, { notes: 'En revisión', total_amount: '1400' })).status).toBe(200)
  const paid = await makePayment(server.db, ids, { payment_status: 'paid' })
  const total = { total_amount: '9999999.00', adjustment_reason: 'Así se acordó' }
  const change = (body: object) => client.put(`/api/v1/payments/${paid.id}/`, body)
  expect((await change(total)).json().meta.code).toBe('PAID_STAYS')
  expect((await change({ payment_status: 'paid', total_amount: '1500', notes: 'SPEI 77' })).status).toBe(200)
  expect((await change({ ...total, payment_status: 'pending' })).status).toBe(200)
  expect(told(await change({ payment_status: 'paid' }))).toEqual(REQUIRED)
  expect((await change({ payment_status: 'pending' })).status).toBe(200)
  expect(told(await change({ payment_status: 'cancelled' }))).toEqual(REQUIRED)
  expect((await client.put(path, { payment_status: 'cancelled' })).status).toBe(200)
  const company = {
    company_name: 'Grupo Ejemplo',
    rfc: 'XAXX010101000',
    address: 'Av. Juárez 1',
    contact_name: 'Eva Luna',
    contact_email: 'eva@ejemplo.mx',
  }
  const user = { email: `eva${unique()}@ejemplo.mx`, first_name: 'Eva', last_name: 'Luna', password: PASSWORD }
  for (const noun of ['issuers', 'affiliates']) {
    expect(told(await client.post(`/api/v1/${noun}/`, { ...company, user }))).toEqual(REQUIRED)
    expect((await client.post(`/api/v1/${noun}/`, company)).status).toBe(201)
  }
})

test('where clicks lead and for whom a relationship earns change only after a confirmation', async () => {
  const { client } = await makeLate()
  const { product, relationship, ids } = await makePair(server.db)
  const other = await makePair(server.db)
  const ofProduct = (body: object) => client.put(`/api/v1/products/${product.id}/`, body)
  const ofPair = (body: object) => client.put(`/api/v1/relationships/${relationship.id}/`, body)
  const moved = { redirect_url: 'https://otra.example.mx/?r={tracking_id}' }
  expect(told(await ofProduct(moved))).toEqual(REQUIRED)
  expect((await ofProduct({ redirect_url: product.redirect_url, name: 'Otro nombre' })).status).toBe(200)
  for (const side of [{ affiliate_id: other.ids.affiliate_id }, { issuer_id: other.ids.issuer_id }])
    expect(told(await ofPair(side))).toEqual(REQUIRED)
  const same = { affiliate_id: ids.affiliate_id, issuer_id: ids.issuer_id }
  expect((await ofPair({ ...same, notes: 'Sin cambio de pareja' })).status).toBe(200)
  await client.post('/api/v1/auth/elevate/', { password: PASSWORD })
  expect((await ofProduct(moved)).status).toBe(200)
  expect((await ofPair({ affiliate_id: other.ids.affiliate_id })).status).toBe(200)
})

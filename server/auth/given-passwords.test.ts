import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { pathOf } from '#contract/endpoint.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { makeAffiliate, startServer, type TestClient, type TestServer, unique } from '../testing.ts'
import { bearing, makeAccount, openSession, PASSWORD, signIn } from './testing.ts'

const USERS = '/api/v1/auth/users/'
const POLICY = '/api/v1/auth/policy/'
const CHANGE = '/api/v1/auth/password/change/'
const GIVEN = 'la que tecleó la administradora'
const OWN = 'la que nadie más conoce'
let server: TestServer
let admin: TestClient
let affiliate_id: number
beforeAll(async () => {
  server = await startServer({ TRUST_PROXY: '1', PUBLIC_URL: 'https://red.example.mx' })
  admin = await server.as({ role: 'admin' })
  affiliate_id = (await makeAffiliate(server.db)).id
})
afterAll(() => server.stop())
beforeEach(() => replaceGiven(true))

const factorRule = { role: 'affiliate', second_factor: 'off', grace_days: 0 }
const replaceGiven = async (replaces_given: boolean, rule: object = {}) => {
  const answer = await admin.put(POLICY, { ...factorRule, replaces_given, ...rule })
  expect(answer.status).toBe(200)
  return answer.json().data.find(({ role }: { role: string }) => role === 'affiliate')
}

const person = () => ({
  ...{ email: `dada${unique()}@pruebas.mx`, first_name: 'Eva', last_name: 'Nueva', role: 'affiliate' },
  ...{ affiliate_id, issuer_id: null },
})
/** Made as the form of the specification does it. */
async function makeGiven(): Promise<{ id: number; email: string }> {
  const answer = await admin.post(USERS, { ...person(), password: GIVEN })
  expect(answer.status).toBe(201)
  return answer.json().data
}
async function enterWith(email: string, password = GIVEN) {
  const answer = await signIn(server, email, password)
  expect(answer.status).toBe(200)
  return { answer, client: bearing(server, answer.json().data.access) }
}
const mustChoose = async (client: TestClient) =>
  (await client.get('/api/v1/auth/rights/')).json().data.must_choose_password
const reads = async (client: TestClient) => {
  const answer = await client.get('/api/v1/products/')
  return answer.status === 200 ? 200 : [answer.status, answer.json().meta.code]
}
const REFUSED = [403, 'OWN_PASSWORD_REQUIRED']
const isGiven = async (email: string) =>
  (
    await server.db
      .selectFrom('user')
      .select('password_given')
      .where('email', '=', email.toLowerCase())
      .executeTakeFirstOrThrow()
  ).password_given

test('nobody has to, until an administrator says so for the role; the sign-in never changes', async () => {
  await replaceGiven(false)
  const { email } = await makeGiven()
  const shape = ({ answer }: Awaited<ReturnType<typeof enterWith>>) => [
    Object.keys(answer.json().data),
    Object.keys(answer.json().data.user),
  ]
  const first = await enterWith(email)
  expect([await reads(first.client), await mustChoose(first.client)]).toEqual([200, false])
  const { with_given_password } = await replaceGiven(true)
  expect(with_given_password).toBeGreaterThanOrEqual(1)
  // Open sessions too: who typed the password may be the one who has them open.
  expect([await reads(first.client), await mustChoose(first.client)]).toEqual([REFUSED, true])
  expect(shape(await enterWith(email))).toEqual(shape(first))
})

test('until then a session opens nothing but that screen: 403, never 401; choosing one opens the rest', async () => {
  const { email, id } = await makeGiven()
  const { client } = await enterWith(email)
  const other = await enterWith(email)
  const closed = allEndpoints.filter(
    ({ endpoint: { access, givenPassword } }) =>
      Array.isArray(access) && access.includes('affiliate') && !givenPassword,
  )
  expect(closed.length).toBeGreaterThan(50)
  for (const { name, endpoint } of closed) {
    const answer = await client.request(endpoint.method, pathOf(endpoint, { id: 999_999_999, table: 'x' }))
    expect([name, answer.status, answer.json().meta.code]).toEqual([name, ...REFUSED])
    expect(answer.json().message).toBe('Otra persona conoce tu contraseña: elige la tuya para continuar')
  }
  expect((await client.get('/api/v1/auth/profile/')).json().data).toMatchObject({ id, email })

  for (const [current_password, new_password, field, message] of [
    ['', OWN, 'current_password', 'Este campo es requerido'],
    ['una que no es', OWN, 'current_password', 'La contraseña actual no es correcta'],
    [GIVEN, 'corta', 'new_password', 'La contraseña debe tener al menos 8 caracteres'],
    [GIVEN, 'password1', 'new_password', 'Esta contraseña es demasiado común. Elige otra.'],
    [GIVEN, GIVEN, 'new_password', 'Elige una contraseña distinta de la actual'],
  ]) {
    const answer = await client.post(CHANGE, { current_password, new_password })
    expect([answer.status, answer.json().meta.field_errors]).toEqual([422, { [field ?? '']: [message] }])
    expect(await reads(client)).toEqual(REFUSED)
  }
  expect((await client.post(CHANGE, { current_password: GIVEN, new_password: OWN })).status).toBe(200)
  expect([await reads(client), await mustChoose(client)]).toEqual([200, false])
  expect((await other.client.get('/api/v1/products/')).status).toBe(401)
  expect((await signIn(server, email, GIVEN)).status).toBe(401)
  expect(await reads((await enterWith(email, OWN)).client)).toBe(200)
  expect(await isGiven(email)).toBe(false)
})

test('given is what an administrator types: with a company, or in place of one that was forgotten', async () => {
  const company = {
    ...{ company_name: 'Portal Dado', rfc: 'PDA010101AB1', address: 'Av. Juárez 1', contact_name: 'Luz Contacto' },
    ...{ contact_phone: '+525512345678', contact_email: 'luz@portal.mx', url: '' },
  }
  const { email, first_name, last_name } = person()
  const user = { email, first_name, last_name, password: GIVEN }
  expect((await admin.post('/api/v1/affiliates/', { ...company, user })).status).toBe(201)
  expect(await reads((await enterWith(email)).client)).toEqual(REFUSED)

  const old = await makeAccount(server, { role: 'affiliate', affiliate_id })
  expect(await reads((await openSession(server, old.email)).client)).toBe(200)
  expect((await admin.post(`${USERS}${old.id}/password/`, { password: GIVEN })).status).toBe(200)
  expect(await reads((await enterWith(old.email)).client)).toEqual(REFUSED)
})

test('a password chosen with a link is the own one, of who was invited and of who asks for a link', async () => {
  const invited = await admin.post(USERS, { ...person(), invite: true })
  const given = await makeGiven()
  const again = await admin.post('/api/v1/auth/invitations/', { user_id: given.id })
  for (const [email, { url }] of [
    [invited.json().data.email, invited.json().data.invitation],
    [given.email, again.json().data],
  ]) {
    const token = url.split('#')[1]
    expect((await server.anonymous.post('/api/v1/auth/password/reset/', { token, password: OWN })).status).toBe(200)
    expect([await isGiven(email), await reads((await enterWith(email, OWN)).client)]).toEqual([false, 200])
  }
})

test('other roles, who was there before and who looks as somebody are not concerned', async () => {
  const { id } = await makeGiven()
  const issuerSide = await admin.post(USERS, { ...person(), role: 'admin', affiliate_id: null, password: GIVEN })
  expect(await reads((await enterWith(issuerSide.json().data.email)).client)).toBe(200)
  const before = await makeAccount(server, { role: 'affiliate', affiliate_id })
  expect(await reads((await enterWith(before.email, PASSWORD)).client)).toBe(200)
  const { access } = (await admin.post(`${USERS}${id}/view-as/`)).json().data
  expect(await reads(bearing(server, access))).toBe(200)
})

test('before the second factor that a role must have: who typed the password registers none', async () => {
  await replaceGiven(true, { second_factor: 'required' })
  const { email } = await makeGiven()
  const { client } = await enterWith(email)
  const totp = await client.post('/api/v1/auth/second-factors/totp/')
  expect([totp.status, totp.json().meta.code]).toEqual(REFUSED)
  expect((await client.post(CHANGE, { current_password: GIVEN, new_password: OWN })).status).toBe(200)
  expect(await reads(client)).toEqual([403, 'SECOND_FACTOR_REQUIRED'])
  expect((await client.post('/api/v1/auth/second-factors/totp/')).status).toBe(200)
})

test('another copy of the server hears of the rule and of the choice', async () => {
  const { email, id } = await makeGiven()
  const { client } = await enterWith(email)
  expect(await reads(client)).toEqual(REFUSED)
  await server.db.updateTable('user').set({ password_given: false }).where('id', '=', id).execute()
  await expect.poll(() => reads(client), { timeout: 4_000, interval: 10 }).toBe(200)
})

test('the trail says who changed the rule; left out, it stays', async () => {
  await replaceGiven(false)
  await replaceGiven(true)
  expect((await admin.put(POLICY, { ...factorRule, grace_days: 3 })).status).toBe(200)
  const [kept, changed] = (await admin.get('/api/v1/audit/?entity=security_policy')).json().data.results
  expect(kept.changes).toEqual({ grace_days: [0, 3] })
  expect(changed).toMatchObject({ label: 'affiliate', changes: { replaces_given: [false, true] } })
  const wrong = await admin.put(POLICY, { ...factorRule, replaces_given: 'sí' })
  expect([wrong.status, Object.keys(wrong.json().meta.field_errors)]).toEqual([422, ['replaces_given']])
})

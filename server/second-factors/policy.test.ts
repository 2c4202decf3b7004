import { setTimeout as wait } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { pathOf } from '#contract/endpoint.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { bearing, makeAccount, openSession, signIn } from '../auth/testing.ts'
import { makeIssuer, startServer, type TestClient, type TestServer } from '../testing.ts'

const POLICY = '/api/v1/auth/policy/'
const FACTORS = '/api/v1/auth/second-factors/'
const RIGHTS = '/api/v1/auth/rights/'
const PROFILE = '/api/v1/auth/profile/'
let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer({ TRUST_PROXY: '1', PUBLIC_URL: 'https://red.example.mx' })
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())
beforeEach(() => set('off', 14))

const set = async (second_factor: string, grace_days: number, role = 'issuer') => {
  const answer = await admin.put(POLICY, { role, second_factor, grace_days })
  expect(answer.status).toBe(200)
  return answer
}

async function makePerson() {
  const { id: issuer_id } = await makeIssuer(server.db)
  const user = await makeAccount(server, { role: 'issuer', issuer_id })
  return { ...user, client: (await openSession(server, user.email)).client }
}

async function enrol(client: TestClient): Promise<number> {
  const { secret } = (await client.post(`${FACTORS}totp/`)).json().data
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const answer = await client.post(`${FACTORS}totp/confirm/`, { code })
  expect([answer.status, answer.json().data.recovery_codes?.length]).toEqual([200, 10])
  return (await client.get(FACTORS)).json().data.factors[0].id
}
const factorOf = async (client: TestClient) => (await client.get(RIGHTS)).json().data
const codeOf = (answer: { status: number; json: () => { meta: { code: string } } }) => [
  answer.status,
  answer.json().meta.code,
]

test('nobody needs one at first, and the sign-in is what it was', async () => {
  const { data } = (await admin.get(POLICY)).json()
  expect(data.map(({ role, second_factor }: Record<string, string>) => [role, second_factor])).toEqual([
    ['admin', 'off'],
    ['issuer', 'off'],
    ['affiliate', 'off'],
  ])
  const person = await makePerson()
  expect(await factorOf(person.client)).toMatchObject({ factor: 'fine', factor_due: null })
  const shape = async () => {
    const answer = await signIn(server, person.email)
    return [answer.status, Object.keys(answer.json().data), Object.keys(answer.json().data.user)]
  }
  const before = await shape()
  for (const rule of ['asked', 'required']) {
    await set(rule, 0)
    expect(await shape()).toEqual(before)
  }
})

test('asked for, it only says so, to who has none', async () => {
  const person = await makePerson()
  const other = await makePerson()
  await enrol(other.client)
  await set('asked', 0)
  expect(await factorOf(person.client)).toMatchObject({ factor: 'asked' })
  expect(await factorOf(other.client)).toMatchObject({ factor: 'fine' })
  expect((await person.client.get('/api/v1/products/')).status).toBe(200)
  const { data } = (await admin.get(POLICY)).json()
  const issuers = data.find(({ role }: { role: string }) => role === 'issuer')
  expect(issuers.people - issuers.without_factor).toBeGreaterThanOrEqual(1)
})

test('required, it leaves the days of grace, counted from the rule or from a newer account', async () => {
  const person = await makePerson()
  await set('required', 3)
  expect((await person.client.get('/api/v1/products/')).status).toBe(200)
  const { factor, factor_due } = await factorOf(person.client)
  expect(factor).toBe('soon')
  expect((Date.parse(factor_due) - Date.now()) / 86_400_000).toBeCloseTo(3, 1)
  const past = new Date(Date.now() - 4 * 86_400_000).toISOString()
  await server.db.updateTable('security_policy').set({ since: past }).where('role', '=', 'issuer').execute()
  // The account is younger than the rule.
  expect((await factorOf(person.client)).factor).toBe('soon')
  await server.db.updateTable('user').set({ created_at: past }).where('id', '=', person.id).execute()
  await expect.poll(async () => (await factorOf(person.client)).factor).toBe('due')
  // Other days of grace do not begin anew.
  await set('required', 5)
  expect((await factorOf(person.client)).factor).toBe('soon')
})

test('after the days of grace everything is refused but registering one, which opens the rest at once', async () => {
  const person = await makePerson()
  await set('required', 0)
  const refused = allEndpoints.filter(
    ({ endpoint }) => Array.isArray(endpoint.access) && endpoint.access.includes('issuer') && !endpoint.unenrolled,
  )
  for (const { name, endpoint } of refused) {
    const path = pathOf(endpoint, { id: 999_999_999, table: 'x' })
    const answer = await person.client.request(endpoint.method, path)
    expect([name, ...codeOf(answer)]).toEqual([name, 403, 'SECOND_FACTOR_REQUIRED'])
    expect(answer.json().message).toBe('Tu perfil exige verificación en dos pasos: regístrala para continuar')
  }
  expect((await person.client.get(PROFILE)).status).toBe(200)
  expect((await factorOf(person.client)).factor).toBe('due')
  const id = await enrol(person.client)
  expect((await person.client.get('/api/v1/products/')).status).toBe(200)
  expect((await factorOf(person.client)).factor).toBe('fine')

  const answer = await person.client.delete(`${FACTORS}${id}/`)
  expect(codeOf(answer)).toEqual([409, 'LAST_FACTOR'])
  expect(answer.json().message).toBe('Tu perfil exige un segundo factor: registra otro antes de quitar este.')
  const { factors, recovery_codes_left } = (await person.client.get(FACTORS)).json().data
  expect([factors.length, recovery_codes_left]).toEqual([1, 10])
  await set('asked', 0)
  expect((await person.client.delete(`${FACTORS}${id}/`)).status).toBe(204)
})

test('other roles are not touched, and who sees as a person has registered the own', async () => {
  await set('required', 0)
  expect((await admin.get('/api/v1/products/')).status).toBe(200)
  const person = await makePerson()
  expect((await person.client.get('/api/v1/products/')).status).toBe(403)
  const { access } = (await admin.post(`/api/v1/auth/users/${person.id}/view-as/`)).json().data
  const view = bearing(server, access)
  expect((await view.get('/api/v1/products/')).status).toBe(200)
  expect(await factorOf(view)).toMatchObject({ factor: 'fine' })
})

test('another copy of the server hears of the rule and of a factor', async () => {
  const person = await makePerson()
  const rule = { second_factor: 'required', grace_days: 0, since: new Date().toISOString() }
  await server.db.updateTable('security_policy').set(rule).where('role', '=', 'issuer').execute()
  const status = async () => (await person.client.get('/api/v1/products/')).status
  await expect.poll(status, { timeout: 4_000, interval: 10 }).toBe(403)
  await server.db
    .insertInto('second_factor')
    .values({
      ...{ user_id: person.id, kind: 'totp', label: 'x', secret: Buffer.from('x'), kek_id: 'x' },
      confirmed_at: new Date().toISOString(),
    })
    .execute()
  await expect.poll(status, { timeout: 4_000, interval: 10 }).toBe(200)
})

test('an owner of the network decides it, in the trail; wrong input is named', async () => {
  const operator = await makeAccount(server, { duty: 'operator' })
  const { client } = await openSession(server, operator.email)
  await wait(200)
  expect((await client.get(POLICY)).status).toBe(403)
  expect((await client.put(POLICY, { role: 'issuer', second_factor: 'asked', grace_days: 1 })).status).toBe(403)
  for (const [field, value] of [
    ['role', 'king'],
    ['second_factor', 'sometimes'],
    ['grace_days', -1],
    ['grace_days', 91],
    ['grace_days', 1.5],
  ] as const) {
    const answer = await admin.put(POLICY, { role: 'issuer', second_factor: 'asked', grace_days: 1, [field]: value })
    expect([answer.status, Object.keys(answer.json().meta.field_errors)]).toEqual([422, [field]])
  }
  await set('asked', 7, 'affiliate')
  const [entry] = (await admin.get('/api/v1/audit/?entity=security_policy')).json().data.results
  expect(entry).toMatchObject({
    label: 'affiliate',
    changes: { second_factor: ['off', 'asked'], grace_days: [14, 7] },
  })
  await set('off', 14, 'affiliate')
})

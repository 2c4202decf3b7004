import { afterAll, beforeAll, expect, test } from 'vitest'
import { pathOf } from '#contract/endpoint.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { ApiKeys } from '../companies/api-keys.ts'
import { makeAffiliate, makeIssuer, makePair, startServer, TEST_SECRET, type TestServer, unique } from '../testing.ts'
import { bearing, makeAccount, openSession, PASSWORD, refreshWith, signIn, trailOf } from './testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ TRUST_PROXY: '1' })
})
afterAll(() => server.stop())

const PROFILE = '/api/v1/auth/profile/'
const RIGHTS = '/api/v1/auth/rights/'
const SESSIONS = '/api/v1/auth/sessions/'
const ONLY = 'Ves Afluente como otra persona: solo puedes consultar'

async function makeAdmin() {
  const user = await makeAccount(server, { first_name: 'Alma', last_name: 'Jefa' })
  return { ...user, client: (await openSession(server, user.email)).client }
}
type Admin = Awaited<ReturnType<typeof makeAdmin>>

async function makePerson(columns: Record<string, unknown> = {}) {
  const { id: issuer_id } = await makeIssuer(server.db)
  return makeAccount(server, { role: 'issuer', issuer_id, first_name: 'Luis', last_name: 'Paz', ...columns })
}

const ask = (admin: Admin, id: number) => admin.client.post(`/api/v1/auth/users/${id}/view-as/`)
async function view(admin: Admin, id: number) {
  const answer = await ask(admin, id)
  expect(answer.status).toBe(201)
  const { access, refresh, user } = answer.json().data
  return { access, refresh, user, client: bearing(server, access) }
}
const entriesOf = (column: 'actor_id' | 'on_behalf_of', id: number) =>
  server.db
    .selectFrom('audit_entry')
    .select(['actor_id', 'actor_name', 'actor_role', 'action', 'on_behalf_of', 'label'])
    .where(column, '=', id)
    .orderBy('id')
    .execute()

test('an administrator sees what the person sees, for thirty minutes, and the person keeps all of theirs', async () => {
  const admin = await makeAdmin()
  const person = await makePerson()
  const own = await openSession(server, person.email)
  const before = (await own.client.get(PROFILE)).json().data
  const { client, refresh, user } = await view(admin, person.id)
  expect(user).toMatchObject({ id: person.id, role: 'issuer', full_name: 'Luis Paz' })
  expect((await client.get(PROFILE)).json().data).toEqual(before)
  expect((await client.get(RIGHTS)).json().data).toMatchObject({ duty: 'owner', reads_only: 'view' })
  expect((await own.client.get(RIGHTS)).json().data.reads_only).toBe(null)
  expect((await refreshWith(server, refresh)).status).toBe(200)
  const session = await server.db
    .selectFrom('session')
    .selectAll()
    .where('impersonator_id', '=', admin.id)
    .executeTakeFirstOrThrow()
  expect((Date.parse(session.expires_at) - Date.now()) / 60_000).toBeCloseTo(30, 0)
  expect(session).toMatchObject({ user_id: person.id, elevated_until: null })
  for (let times = 0; times < 12; times += 1) await view(admin, person.id)
  expect((await own.client.get(PROFILE)).status).toBe(200)
})

test('nothing can be written, by no call of the contract, and what needs a confirmation is not shown', async () => {
  const admin = await makeAdmin()
  const affiliate = await makeAffiliate(server.db)
  for (const person of [
    await makePerson(),
    await makeAccount(server, { role: 'affiliate', affiliate_id: affiliate.id }),
  ]) {
    const { client } = await view(admin, person.id)
    const refused = allEndpoints.filter(
      ({ endpoint }) => Array.isArray(endpoint.access) && (endpoint.method !== 'GET' || endpoint.elevated),
    )
    expect(refused.length).toBeGreaterThan(60)
    for (const { name, endpoint } of refused) {
      const answer = await client.request(endpoint.method, pathOf(endpoint, { id: 999_999_999, table: 'x' }))
      expect([name, answer.status, answer.json().meta.code]).toEqual([name, 403, 'VIEW_ONLY'])
      expect(answer.json().message).toBe(ONLY)
    }
  }
})

test('keys are not among what is shown', async () => {
  const admin = await makeAdmin()
  const keys = new ApiKeys(server.db, TEST_SECRET)
  const issuer = await makePerson()
  const { id: affiliate_id } = await makeAffiliate(server.db)
  const affiliate = await makeAccount(server, { role: 'affiliate', affiliate_id })
  const secrets = [
    ...(await Promise.all(
      (['api', 'postback', 'signing'] as const).map((kind) =>
        keys.create(server.db, { issuerId: Number(issuer.issuer_id) }, kind),
      ),
    )),
    await keys.create(server.db, { affiliateId: affiliate_id }, 'api'),
  ]
  for (const [person, path, role] of [
    [issuer, `/api/v1/issuers/${issuer.issuer_id}/`, 'issuer'],
    [affiliate, `/api/v1/affiliates/${affiliate_id}/`, 'affiliate'],
  ] as const) {
    const own = (await (await openSession(server, person.email)).client.get(path)).text
    expect(secrets.some((secret) => own.includes(secret))).toBe(true)
    const { client } = await view(admin, person.id)
    const reads = allEndpoints.filter(
      ({ endpoint }) => Array.isArray(endpoint.access) && endpoint.access.includes(role) && endpoint.method === 'GET',
    )
    const urls = [path, ...reads.map(({ endpoint }) => pathOf(endpoint, { id: 1, table: 'x' }))]
    for (const url of urls) {
      const { text } = await client.get(url)
      for (const secret of secrets) expect(text).not.toContain(secret)
    }
  }
})

test('the trail says who it was and as whom, and the end of it', async () => {
  const admin = await makeAdmin()
  const person = await makePerson()
  const { ids } = await makePair(server.db)
  expect(ids.issuer_id).toBeGreaterThan(0)
  const { client, refresh } = await view(admin, person.id)
  expect((await client.get('/api/v1/exports/products/?format=csv')).status).toBe(200)
  expect((await client.post('/api/v1/auth/logout/', { refresh })).status).toBe(200)
  expect((await client.get(PROFILE)).status).toBe(401)
  expect((await refreshWith(server, refresh)).status).toBe(401)
  const who = { actor_id: admin.id, actor_name: 'Alma Jefa', actor_role: 'admin' }
  await expect
    .poll(() => entriesOf('on_behalf_of', person.id))
    .toEqual([
      { ...who, action: 'export', on_behalf_of: person.id, label: expect.any(String) },
      { ...who, action: 'end_view', on_behalf_of: person.id, label: 'Luis Paz' },
    ])
  expect(await entriesOf('actor_id', admin.id)).toContainEqual({
    ...who,
    action: 'view_as',
    on_behalf_of: null,
    label: 'Luis Paz',
  })
  // Nothing was done by the person.
  expect(await entriesOf('actor_id', person.id)).toEqual([])
  expect(await trailOf(server, person.id)).toEqual(['view_as', 'end_view'])
  const shown = (await admin.client.get(`/api/v1/audit/?actor_id=${admin.id}&action=end_view`)).json().data.results
  expect(shown).toMatchObject([{ on_behalf_of: person.id, on_behalf_of_name: 'Luis Paz' }])
  expect((await admin.client.get(PROFILE)).status).toBe(200)
})

test('the person sees it among the sessions, without a name or an address, and can end it', async () => {
  const admin = await makeAdmin()
  const person = await makePerson()
  const own = await openSession(server, person.email)
  const { client } = await view(admin, person.id)
  const sessions = (await own.client.get(SESSIONS)).json().data as { id: string; is_view: boolean }[]
  const seen = sessions.find(({ is_view }) => is_view)
  expect(seen).toMatchObject({ user_agent: '', address: '', current: false })
  expect(JSON.stringify(sessions)).not.toContain('Alma')
  expect((await own.client.delete(`${SESSIONS}${seen?.id}/`)).status).toBe(204)
  expect((await client.get(PROFILE)).status).toBe(401)
  const access = (await own.client.get(`/api/v1/issuers/${person.issuer_id}/access/`)).json().data
  expect(access.trail).toMatchObject([{ action: 'view_as', actor_role: 'admin', actor_name: '', person: 'Luis Paz' }])
})

test.each([
  ['is suspended', { user_status: 'suspended' }],
  ['loses the duty', { duty: 'reader' }],
] as const)('it ends when the administrator %s', async (_, change) => {
  const [admin, other] = [await makeAdmin(), await makeAdmin()]
  const { client } = await view(admin, (await makePerson()).id)
  expect((await client.get(PROFILE)).status).toBe(200)
  expect((await other.client.put(`/api/v1/auth/users/${admin.id}/`, change)).status).toBe(200)
  expect((await client.get(PROFILE)).status).toBe(401)
})

test('it ends when the person is suspended', async () => {
  const admin = await makeAdmin()
  const person = await makePerson()
  const { client } = await view(admin, person.id)
  await admin.client.put(`/api/v1/auth/users/${person.id}/`, { user_status: 'suspended' })
  expect((await client.get(PROFILE)).status).toBe(401)
  const answer = await ask(admin, person.id)
  expect([answer.status, answer.json().meta.code]).toEqual([409, 'USER_NOT_ACTIVE'])
})

test('never an administrator, never by another duty, never unasked', async () => {
  const admin = await makeAdmin()
  const person = await makePerson()
  const other = await makeAdmin()
  for (const id of [other.id, admin.id]) {
    const answer = await ask(admin, id)
    expect([answer.status, answer.json().message]).toEqual([403, 'No es posible ver Afluente como un administrador'])
  }
  expect((await ask(admin, 999_999_999)).status).toBe(404)
  const operator = await makeAccount(server, { duty: 'operator' })
  const { client } = await openSession(server, operator.email)
  expect((await ask({ ...operator, client }, person.id)).status).toBe(403)
  const past = new Date(Date.now() - 1000).toISOString()
  await server.db.updateTable('session').set({ elevated_until: past }).where('user_id', '=', admin.id).execute()
  await expect.poll(async () => (await ask(admin, person.id)).json().meta.code).toBe('ELEVATION_REQUIRED')
  expect((await signIn(server, person.email)).status).toBe(200)
})

test('a repeated request is given no tokens', async () => {
  const admin = await makeAdmin()
  const person = await makePerson()
  const options = { headers: { 'idempotency-key': `vista-${unique()}` } }
  const start = () => admin.client.post(`/api/v1/auth/users/${person.id}/view-as/`, undefined, options)
  const first = (await start()).json().data
  expect((await start()).json().data).toEqual({ ...first, access: '', refresh: '' })
})

test('the device of an administrator who looked is not one of the person', async () => {
  const admin = await makeAdmin()
  const { id, email } = await makePerson()
  const on = (browser: string) => ({ headers: { 'user-agent': `${browser} (Windows NT 10.0; Win64; x64)` } })
  expect((await admin.client.post(`/api/v1/auth/users/${id}/view-as/`, undefined, on('Chrome/150'))).status).toBe(201)
  const announced: (string | null)[][] = []
  for (const browser of ['Firefox/140', 'Chrome/150']) {
    const entered = await server.anonymous.post('/api/v1/auth/login/', { email, password: PASSWORD }, on(browser))
    expect(entered.status).toBe(200)
    const told = await server.db.selectFrom('occurrence').select('detail').where('user_id', '=', id).execute()
    announced.push(told.map(({ detail }) => detail))
  }
  expect(announced).toEqual([[], ['Chrome en Windows']])
})

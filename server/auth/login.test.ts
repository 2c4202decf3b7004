import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAffiliate, makeIssuer, startServer, type TestServer, unique } from '../testing.ts'
import { COST, cost, matches } from '../users/passwords.ts'
import { makeAccount, openSession, PASSWORD, refreshWith, signIn, trailOf } from './testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ TRUST_PROXY: '1' })
})
afterAll(() => server.stop())

const REFUSED = 'Correo o contraseña incorrectos, o cuenta no disponible.'
/** Each test comes from a network of its own, so that none is throttled for another. */
const network = () => `203.0.${unique()}.7`

test('a person signs in with the address in any case and learns when they last came', async () => {
  const user = await makeAccount(server)
  const first = await signIn(server, ` ${user.email.toUpperCase()} `)
  expect(first.status).toBe(200)
  expect(first.json()).toMatchObject({ success: true, message: null, errors: null })
  const { access, refresh, user: person } = first.json().data
  expect([typeof access, typeof refresh]).toEqual(['string', 'string'])
  expect(person).toMatchObject({
    id: user.id,
    email: user.email,
    full_name: 'Ana Prueba',
    role: 'admin',
    last_login: null,
  })
  expect(first.text).not.toContain('argon2')
  expect(first.headers.getSetCookie()).toEqual([])
  expect(first.headers.get('cache-control')).toBe('no-store')
  const stored = await server.db
    .selectFrom('user')
    .select(['last_login', 'updated_at'])
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  expect(stored.updated_at).toBe(user.updated_at)
  expect((await signIn(server, user.email)).json().data.user.last_login).toBe(stored.last_login)
  expect(await trailOf(server, user.id)).toEqual(['login', 'login'])
})

test('the session keeps a hash of the refresh token, the address, the browser and both ends', async () => {
  const user = await makeAccount(server)
  const { refresh } = await openSession(server, user.email)
  const session = await server.db
    .selectFrom('session')
    .selectAll()
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  expect(Buffer.from(refresh, 'base64url')).toHaveLength(32)
  expect(session.refresh_hash.toString('base64url')).not.toBe(refresh)
  expect(session).toMatchObject({ address: '198.51.100.1', user_agent: expect.stringContaining('node') })
  expect(Date.parse(session.expires_at) - Date.parse(session.created_at)).toBe(12 * 3_600_000)
})

test('nobody can tell an unknown address from any other refusal, and every one is recorded', async () => {
  const accounts = {
    wrong: await makeAccount(server),
    inactive: await makeAccount(server, { user_status: 'inactive' }),
    suspended: await makeAccount(server, { user_status: 'suspended' }),
    deleted: await makeAccount(server, { archived_at: new Date() }),
    unreadable: await makeAccount(server, { password_hash: '!' }),
  }
  const answers = [
    await signIn(server, 'nadie@pruebas.mx', PASSWORD, network()),
    await signIn(server, accounts.wrong.email, 'otra clave distinta', network()),
    await signIn(server, accounts.inactive.email, PASSWORD, network()),
    await signIn(server, accounts.suspended.email, PASSWORD, network()),
    await signIn(server, accounts.deleted.email, PASSWORD, network()),
    await signIn(server, accounts.unreadable.email, PASSWORD, network()),
  ]
  const bodies = answers.map((answer) => ({ ...answer.json(), meta: { ...answer.json().meta, request_id: '' } }))
  expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(401))
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  expect(bodies[0]).toMatchObject({ success: false, data: null, message: REFUSED, errors: [REFUSED] })
  expect(new Set(answers.map((answer) => [...answer.headers.keys()].sort().join())).size).toBe(1)
  const failures = await server.db.selectFrom('audit_entry').selectAll().where('action', '=', 'login_failed').execute()
  const reasons = failures.map((entry) => (entry.changes as { reason: string[] }).reason[1])
  expect(reasons).toEqual(['unknown', 'wrong_password', 'inactive', 'suspended', 'unknown', 'wrong_password'])
  expect(JSON.stringify(failures)).not.toMatch(/@/)
})

test('nor by how long it takes: each refusal comes after a hash', async () => {
  // What cannot be hashed fails, so that a 500 says that there was one.
  const password_hash = `$argon2id$v=19$m=64,t=0,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`
  const wrong = await makeAccount(server, { password_hash })
  const suspended = await makeAccount(server, { password_hash, user_status: 'suspended' })
  const { passes } = cost
  cost.passes = 0 // of the hash that unknown addresses are compared with
  const statuses: number[] = []
  for (const email of ['nadie@pruebas.mx', wrong.email, suspended.email])
    statuses.push((await signIn(server, email, PASSWORD, network())).status)
  cost.passes = passes
  expect(statuses).toEqual([500, 500, 500])
})

describe('the form', () => {
  const format = 'El formato del correo electrónico no es válido. Ejemplo: usuario@empresa.com'
  test.each([
    ['', PASSWORD, 'email', 'El correo electrónico es requerido'],
    ['ana', PASSWORD, 'email', format],
    ['ana@', PASSWORD, 'email', format],
    ['ana@x', PASSWORD, 'email', format],
    ['ana@x.c', PASSWORD, 'email', format],
    ['ana+1@mail.com', PASSWORD, 'email', format],
    ['ana@mail.com', '12345', 'password', 'La contraseña debe tener al menos 6 caracteres'],
    [undefined, PASSWORD, 'email', 'Este campo es requerido'],
  ])('%s with %s is refused with its message', async (email, password, field, message) => {
    const answer = await server.anonymous.post('/api/v1/auth/login/', { email, password })
    expect(answer.status).toBe(422)
    expect(answer.json().meta.field_errors[field]).toEqual([message])
  })

  test('six characters are enough to be asked about', async () => {
    expect((await signIn(server, 'ana.b-c_1@mi-dominio.mx', '123456', network())).status).toBe(401)
  })
})

test('a password is taken letter by letter, spaces and accents included', async () => {
  const admin = await server.as({ role: 'admin' })
  const email = `letra${unique()}@pruebas.mx`
  const password = '  Ñandú ñoño 🌮  '
  await admin.post('/api/v1/auth/users/', { email, first_name: 'Eva', last_name: 'Luna', password, role: 'admin' })
  expect((await signIn(server, email, password, network())).status).toBe(200)
  expect((await signIn(server, email, password.trim(), network())).status).toBe(401)
})

test('the stored hash names Argon2id with its parameters; a weaker one is replaced at sign-in', async () => {
  // The same password under half of the memory.
  const weak = '$argon2id$v=19$m=9216,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$'
  const { argon2Sync } = await import('node:crypto')
  const tag = argon2Sync('argon2id', {
    message: PASSWORD,
    nonce: Buffer.from('0123456789abcdef'),
    memory: 9216,
    passes: 2,
    parallelism: 1,
    tagLength: 32,
  })
  const user = await makeAccount(server, { password_hash: weak + tag.toString('base64').replaceAll('=', '') })
  const cheap = { ...cost }
  Object.assign(cost, COST)
  expect((await signIn(server, user.email)).status).toBe(200)
  const { password_hash } = await server.db
    .selectFrom('user')
    .select('password_hash')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(await matches(PASSWORD, password_hash)).toBe(true)
  expect((await signIn(server, user.email)).status).toBe(200)
  Object.assign(cost, cheap)
})

test('the eleventh session ends the oldest one', async () => {
  const user = await makeAccount(server)
  const sessions: Awaited<ReturnType<typeof openSession>>[] = []
  for (let count = 0; count < 11; count += 1) sessions.push(await openSession(server, user.email))
  expect((await refreshWith(server, sessions[0]?.refresh)).status).toBe(401)
  expect((await refreshWith(server, sessions[1]?.refresh)).status).toBe(200)
  expect((await sessions[10]?.client.get('/api/v1/auth/sessions/'))?.json().data).toHaveLength(10)
})

test('ten people at once sign in to one account', async () => {
  const user = await makeAccount(server)
  const answers = await Promise.all(Array.from({ length: 10 }, () => signIn(server, user.email)))
  expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200))
})

test('the people of an inactive company look but do not change anything', async () => {
  const issuer = await makeIssuer(server.db, { user_status: 'inactive' })
  const user = await makeAccount(server, { role: 'issuer', issuer_id: issuer.id })
  const { client } = await openSession(server, user.email)
  expect((await client.get('/api/v1/products/')).status).toBe(200)
  const refused = await client.post('/api/v1/payouts/', {})
  expect([refused.status, refused.json().message]).toEqual([403, 'La empresa está inactiva: solo es posible consultar'])
  expect((await client.get('/api/v1/auth/rights/')).json().data.reads_only).toBe('company')
  expect((await client.get('/api/v1/auth/profile/')).json().data).toMatchObject({
    issuer_id: issuer.id,
    issuer_name: issuer.company_name,
  })
  expect((await client.post('/api/v1/auth/logout/')).status).toBe(200)
})

test('demo accounts are offered only by a server with demo data, and only the usable ones', async () => {
  const demo = await startServer({ DEMO: '1' })
  try {
    const affiliate = await makeAffiliate(demo.db)
    await makeAccount(demo, { email: 'admin@demo.afluente.mx' })
    await makeAccount(demo, {
      email: 'afiliado@demo.afluente.mx',
      role: 'affiliate',
      affiliate_id: affiliate.id,
      user_status: 'suspended',
    })
    await makeAccount(server, { email: 'admin@demo.afluente.mx' })
    const offered = await demo.anonymous.get('/api/v1/auth/demo-accounts/')
    expect(offered.json().data).toEqual([{ role: 'admin', email: 'admin@demo.afluente.mx', password: 'Afluente2026' }])
    expect((await server.anonymous.get('/api/v1/auth/demo-accounts/')).json().data).toEqual([])
  } finally {
    await demo.stop()
  }
})

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearing, makeAccount, openSession, PASSWORD, signIn, trailOf } from '../auth/testing.ts'
import { makeIssuer, startServer, type TestClient, type TestServer, unique } from '../testing.ts'
import { openDoor } from './open-door.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer({ TRUST_PROXY: '1', PUBLIC_URL: 'https://red.example.mx' })
  admin = await server.as({ role: 'admin' })
})
afterAll(() => server.stop())

const NEW = 'otra orilla del mismo río'
const GONE = 'Este enlace ya se usó o venció. Pide otro.'
const UNKNOWN = 'x'.repeat(43)
/** Each call comes from a network of its own, so that none is throttled for another. */
const from = () => ({ headers: { 'x-forwarded-for': `203.${unique() % 256}.${unique() % 256}.7` } })
const open = (token: string) => server.anonymous.post('/api/v1/auth/password/link/', { token }, from())
const choose = (token: string, password = NEW) =>
  server.anonymous.post('/api/v1/auth/password/reset/', { token, password }, from())
const forgot = (email: string, options = from()) =>
  server.anonymous.post('/api/v1/auth/password/forgot/', { email }, options)

async function giveLink(userId: number): Promise<string> {
  const answer = await admin.post('/api/v1/auth/invitations/', { user_id: userId })
  expect(answer.status).toBe(201)
  return answer.json().data.url.split('#')[1]
}
const expectGone = async (token: string) => {
  for (const answer of [await open(token), await choose(token)])
    expect([answer.status, answer.json().meta.code, answer.json().message]).toEqual([410, 'LINK_USED', GONE])
}
const newPerson = () => ({
  email: `nueva${unique()}@pruebas.mx`,
  first_name: 'Nueva',
  last_name: 'Persona',
  role: 'admin',
  invite: true,
})

test('an invited person has no password until they choose one; opening the link uses nothing up', async () => {
  const person = newPerson()
  const created = await admin.post('/api/v1/auth/users/', person)
  expect(created.status).toBe(201)
  const { invitation, id } = created.json().data
  expect(invitation).toMatchObject({ purpose: 'invite', delivered: 'shown' })
  expect(invitation.url).toMatch(/^https:\/\/red\.example\.mx\/acceso#[\w-]{43}$/)
  const hours = (Date.parse(invitation.expires_at) - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(71.9)
  expect(hours).toBeLessThan(72.1)
  for (const guess of ['!!!!!!!!', 'argon2id', PASSWORD])
    expect((await signIn(server, person.email, guess)).status).toBe(401)
  const token = invitation.url.split('#')[1]
  for (let times = 0; times < 3; times += 1)
    expect((await open(token)).json().data).toEqual({ purpose: 'invite', email: person.email, first_name: 'Nueva' })
  const weak = await choose(token, 'password1')
  expect([weak.status, Object.keys(weak.json().meta.field_errors)]).toEqual([422, ['password']])
  expect(await choose(token)).toMatchObject({ status: 200 })
  expect((await signIn(server, person.email, NEW, '198.51.101.1')).status).toBe(200)
  await expectGone(token)
  expect(await trailOf(server, id)).toEqual(expect.arrayContaining(['create', 'give_link', 'use_link', 'login']))
})

test('neither the tables nor the trail nor a repeated answer hold a link', async () => {
  const headers = { 'idempotency-key': `clave-${unique()}` }
  const person = newPerson()
  const first = await admin.post('/api/v1/auth/users/', person, { headers })
  const { invitation, id } = first.json().data
  const again = await admin.post('/api/v1/auth/users/', person, { headers })
  expect(again.json().data).toEqual({ ...first.json().data, invitation: { ...invitation, url: null } })
  const token = invitation.url.split('#')[1]
  for (const table of ['access_link', 'idempotency', 'audit_entry', 'user', 'mail'])
    expect(JSON.stringify((await sql`select * from ${sql.table(table)}`.execute(server.db)).rows)).not.toContain(token)
  expect((await open(token)).status).toBe(200)
  expect(id).toBeGreaterThan(0)
})

test('a reset is for fifteen minutes, ends every session and signs nobody in', async () => {
  const user = await makeAccount(server)
  const { client, refresh } = await openSession(server, user.email)
  const answer = await admin.post('/api/v1/auth/invitations/', { user_id: user.id })
  const { purpose, expires_at, url } = answer.json().data
  expect(purpose).toBe('reset')
  expect((Date.parse(expires_at) - Date.now()) / 60_000).toBeCloseTo(15, 0)
  const used = await choose(url.split('#')[1])
  expect(used.json()).toMatchObject({ data: null, message: 'Contraseña guardada. Ya puedes entrar.' })
  expect((await client.get('/api/v1/auth/profile/')).status).toBe(401)
  expect((await server.anonymous.post('/api/v1/token/refresh/', { refresh })).status).toBe(401)
  expect((await signIn(server, user.email, PASSWORD, '198.51.102.1')).status).toBe(401)
  expect((await signIn(server, user.email, NEW, '198.51.102.2')).status).toBe(200)
})

test('of twenty uses at once one sets the password', async () => {
  const user = await makeAccount(server)
  const token = await giveLink(user.id)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => choose(token, `caudal de primavera ${index}`)),
  )
  const statuses = answers.map(({ status }) => status).toSorted()
  expect(statuses).toEqual([200, ...Array(19).fill(410)])
  const winner = answers.findIndex(({ status }) => status === 200)
  expect((await signIn(server, user.email, `caudal de primavera ${winner}`, '198.51.103.1')).status).toBe(200)
})

test('a link of the past, an unknown one and an older one open nothing', async () => {
  const user = await makeAccount(server)
  const older = await giveLink(user.id)
  const newer = await giveLink(user.id)
  await expectGone(older)
  await expectGone(UNKNOWN)
  await expectGone('')
  await server.db
    .updateTable('access_link')
    .set({ expires_at: sql<string>`now() - interval '1 second'` })
    .where('user_id', '=', user.id)
    .execute()
  await expectGone(newer)
})

test('a network is refused after sixty links that open nothing, and never for those that do', async () => {
  const token = await giveLink((await makeAccount(server)).id)
  const office = from()
  const statusesOf = (tried: string) =>
    Promise.all(
      Array.from({ length: 61 }, async () => {
        const answer = await server.anonymous.post('/api/v1/auth/password/link/', { token: tried }, office)
        return answer.status
      }),
    )
  expect(new Set(await statusesOf(token))).toEqual(new Set([200]))
  await statusesOf(UNKNOWN)
  const refused = await server.anonymous.post('/api/v1/auth/password/link/', { token }, office)
  expect([refused.status, refused.json().meta.code]).toEqual([429, 'RATE_LIMITED'])
  expect((await server.anonymous.post('/api/v1/auth/password/reset/', { token, password: NEW }, office)).status).toBe(
    429,
  )
  expect((await open(token)).status).toBe(200)
})

const endings: Record<string, (id: number) => Promise<unknown>> = {
  'another address': (id) => admin.put(`/api/v1/auth/users/${id}/`, { email: `otra${unique()}@pruebas.mx` }),
  'a suspension': (id) => admin.put(`/api/v1/auth/users/${id}/`, { user_status: 'suspended' }),
  'a deletion': (id) => admin.delete(`/api/v1/auth/users/${id}/`),
  'a password from an administrator': (id) => admin.post(`/api/v1/auth/users/${id}/password/`, { password: NEW }),
  'another company': async (id) =>
    admin.put(`/api/v1/auth/users/${id}/`, { role: 'issuer', issuer_id: (await makeIssuer(server.db)).id }),
}
test.each(Object.keys(endings))('a link does not outlive %s', async (what) => {
  const user = await makeAccount(server)
  const token = await giveLink(user.id)
  await endings[what]?.(user.id)
  await expectGone(token)
})

test('a link does not outlive a password that its owner chose meanwhile', async () => {
  const user = await makeAccount(server)
  const token = await giveLink(user.id)
  const { access } = await openSession(server, user.email)
  const body = { current_password: PASSWORD, new_password: NEW }
  expect((await bearing(server, access).post('/api/v1/auth/password/change/', body)).status).toBe(200)
  await expectGone(token)
})

test('nobody but an administrator gives links, and not to who may not come in', async () => {
  const user = await makeAccount(server, { user_status: 'inactive' })
  const refused = await admin.post('/api/v1/auth/invitations/', { user_id: user.id })
  expect([refused.status, refused.json().meta.code]).toEqual([409, 'USER_NOT_ACTIVE'])
  expect((await admin.post('/api/v1/auth/invitations/', { user_id: 999_999_999 })).status).toBe(404)
  const issuer = await server.as({ role: 'issuer', issuerId: (await makeIssuer(server.db)).id })
  expect((await issuer.post('/api/v1/auth/invitations/', { user_id: user.id })).status).toBe(403)
  expect((await server.anonymous.post('/api/v1/auth/invitations/', { user_id: user.id })).status).toBe(401)
})

test('asking for a link answers every address alike, byte for byte', async () => {
  const known = await makeAccount(server)
  const suspended = await makeAccount(server, { user_status: 'suspended' })
  const answers = []
  for (const email of [known.email, suspended.email, `nadie${unique()}@pruebas.mx`]) answers.push(await forgot(email))
  const texts = answers.map((answer) => answer.text.replace(answer.json().meta.request_id, ''))
  expect(new Set(texts).size).toBe(1)
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
  expect(answers[0]?.json().message).toBe('Si el correo tiene una cuenta, recibirás un enlace.')
  expect(answers[0]?.json().data).toEqual({ mails: false })
})

test('asking leaves the same behind for an unknown address as for a known one, so that it takes as long', async () => {
  const [known, unknown] = [(await makeAccount(server)).email, `nadie${unique()}@pruebas.mx`]
  for (const email of [unknown, known]) await forgot(email)
  const rows = await server.db.selectFrom('mail').selectAll().where('recipient', 'in', [known, unknown]).execute()
  const kept = rows.map(({ id, recipient, created_at, next_at, ...same }) => same)
  expect(kept).toHaveLength(2)
  expect(kept[0]).toEqual(kept[1])
})

test('without mail, administrators read who asked and has an account, until they give a link', async () => {
  const user = await makeAccount(server)
  const stranger = `nadie${unique()}@pruebas.mx`
  for (const email of [user.email, stranger]) await forgot(email)
  const waiting = async () => {
    const answer = await admin.get('/api/v1/auth/invitations/')
    return answer.json().data.filter(({ email }: { email: string }) => [user.email, stranger].includes(email))
  }
  expect(await waiting()).toEqual([
    { user_id: user.id, full_name: 'Ana Prueba', email: user.email, last_login: null, asked_at: expect.any(String) },
  ])
  const listed = async (email: string) => (await admin.get(`/api/v1/mail/?search=${email}`)).json().data
  expect(await listed(user.email)).toEqual([expect.objectContaining({ kind: 'reset', state: 'waiting' })])
  expect(await listed(stranger)).toEqual([])
  await giveLink(user.id)
  expect(await waiting()).toEqual([])
})

test('one address gets three letters an hour without a word, a network twenty questions', async () => {
  const { email } = await makeAccount(server)
  const letters = () =>
    server.db.selectFrom('mail').select('id').where('recipient', '=', email).where('state', '=', 'waiting').execute()
  for (let times = 0; times < 3; times += 1) {
    expect((await forgot(email)).status).toBe(202)
    expect(await letters()).toHaveLength(1)
    await server.db.deleteFrom('mail').where('recipient', '=', email).execute()
  }
  expect((await forgot(email)).status).toBe(202)
  expect(await letters()).toHaveLength(0)
  const one = { headers: { 'x-forwarded-for': '192.0.2.9' } }
  const statuses = []
  for (let times = 0; times < 21; times += 1) statuses.push((await forgot(`nadie${unique()}@pruebas.mx`, one)).status)
  expect(statuses).toEqual([...Array(20).fill(202), 429])
})

test('the networks of one customer of IPv6 are counted together when they ask', async () => {
  const asking = (address: string) =>
    forgot(`nadie${unique()}@pruebas.mx`, { headers: { 'x-forwarded-for': address } }).then(({ status }) => status)
  const statuses: number[] = []
  for (let part = 0; part < 41; part += 1) statuses.push(await asking(`2001:db8:aa:${(0x100 + part).toString(16)}::1`))
  expect(statuses.splice(0)).toEqual([...Array(40).fill(202), 429])
  for (let part = 2; part < 43; part += 1) statuses.push(await asking(`2001:db8:aa:${part.toString(16)}00::1`))
  expect(statuses.splice(0)).toEqual([...Array(40).fill(202), 429])
  for (let times = 0; times < 100; times += 1) statuses.push(await asking('2001:db8:ab:100::1'))
  expect(statuses.filter((status) => status === 202)).toHaveLength(20)
  expect(await asking('2001:db8:ab:101::1')).toBe(202)
})

test('an operator opens the door of a suspended last administrator; the trail has it', async () => {
  const user = await makeAccount(server, { user_status: 'suspended' })
  const { link, name } = await openDoor(server.appDb, 'https://red.example.mx', user.email)
  expect(name).toBe('Ana Prueba')
  expect((await signIn(server, user.email, PASSWORD, '198.51.104.2')).status).toBe(401)
  expect((await choose(link.split('#')[1] ?? '')).status).toBe(200)
  expect((await signIn(server, user.email, NEW, '198.51.104.1')).status).toBe(200)
  expect(await trailOf(server, user.id)).toEqual(['give_link', 'login_failed', 'use_link', 'login'])
  await expect(openDoor(server.appDb, 'https://red.example.mx', 'nadie@pruebas.mx')).rejects.toThrow('No hay ningún')
})

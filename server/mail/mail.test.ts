import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#db/testing.ts'
import { makeAccount, signIn } from '../auth/testing.ts'
import { asOwner, startServer, type TestClient, type TestServer, unique } from '../testing.ts'
import { linkIn, type Receiver, startReceiver } from './testing.ts'

let receiver: Receiver
let server: TestServer
let admin: TestClient
const start = (database?: TestDatabase) =>
  startServer(
    {
      SMTP_URL: receiver.url,
      MAIL_FROM: 'Afluente <avisos@red.example.mx>',
      PUBLIC_URL: 'https://red.example.mx',
      TRUST_PROXY: '1',
    },
    database && { database },
  )
beforeAll(async () => {
  receiver = await startReceiver()
  server = await start()
  admin = await server.as({ role: 'admin' })
})
afterEach(() => {
  receiver.refuse(undefined)
  receiver.slow(0)
})
afterAll(async () => {
  await server.stop()
  await receiver.stop()
})

const NEW = 'otra orilla del mismo río'
const from = () => ({ headers: { 'x-forwarded-for': `203.${unique() % 256}.${unique() % 256}.7` } })
const forgot = (email: string) => server.anonymous.post('/api/v1/auth/password/forgot/', { email }, from())
const choose = (token: string) =>
  server.anonymous.post('/api/v1/auth/password/reset/', { token, password: NEW }, from())
const lettersTo = (email: string) => receiver.received.filter(({ to }) => to.includes(email))
const rowsOf = (email: string) => server.db.selectFrom('mail').selectAll().where('recipient', '=', email).execute()
const settled = (email: string) => expect.poll(async () => (await rowsOf(email))[0]?.state)
/** As if the pause until the next attempt had passed. */
const hurry = (email: string) =>
  server.db.updateTable('mail').set({ next_at: sql<string>`now()` }).where('recipient', '=', email).execute()

test('an invitation arrives, opens the account once, and its link is nowhere in the database', async () => {
  const email = `invitada${unique()}@pruebas.mx`
  const person = { email, first_name: 'José', last_name: 'Ñúñez', role: 'admin', invite: true }
  const created = await admin.post('/api/v1/auth/users/', person)
  expect(created.json().data.invitation).toEqual({
    purpose: 'invite',
    delivered: 'mail',
    url: null,
    expires_at: null,
  })
  await settled(email).toBe('sent')
  const [letter] = lettersTo(email)
  expect(letter?.from).toBe('avisos@red.example.mx')
  for (const text of ['Hola, José:', '72 horas', 'https://red.example.mx/acceso#', 'Auto-Submitted: auto-generated'])
    expect(letter?.text).toContain(text)
  const token = linkIn(letter?.text ?? '')
  for (const table of ['mail', 'access_link', 'audit_entry'])
    expect(JSON.stringify((await sql`select * from ${sql.table(table)}`.execute(server.db)).rows)).not.toContain(token)
  expect((await choose(token)).status).toBe(200)
  expect((await choose(token)).status).toBe(410)
  expect((await signIn(server, email, NEW)).status).toBe(200)
})

test('who forgot the password gets a letter; a stranger and a suspended account get none and leave nothing', async () => {
  const user = await makeAccount(server)
  const suspended = await makeAccount(server, { user_status: 'suspended' })
  const stranger = `nadie${unique()}@pruebas.mx`
  for (const email of [stranger, suspended.email, user.email])
    expect((await forgot(email)).json().data).toEqual({ mails: true })
  await settled(user.email).toBe('sent')
  expect(lettersTo(user.email)[0]?.text).toContain('15 minutos')
  for (const email of [stranger, suspended.email]) {
    await expect.poll(() => rowsOf(email)).toEqual([])
    expect(lettersTo(email)).toEqual([])
  }
})

test('who asks with the address of somebody invited repeats the invitation, and makes it no shorter', async () => {
  const email = `invitada${unique()}@pruebas.mx`
  const person = { email, first_name: 'Nueva', last_name: 'Persona', role: 'admin', invite: true }
  const { id } = (await admin.post('/api/v1/auth/users/', person)).json().data
  await settled(email).toBe('sent')
  await forgot(email)
  await expect.poll(() => lettersTo(email).length).toBe(2)
  const text = lettersTo(email)[1]?.text ?? ''
  for (const words of ['Tu acceso a Afluente', '72 horas']) expect(text).toContain(words)
  const { purpose, expires_at } = await server.db
    .selectFrom('access_link')
    .select(['purpose', 'expires_at'])
    .where('user_id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  expect([purpose, Math.round((Date.parse(expires_at) - Date.now()) / 3_600_000)]).toEqual(['invite', 72])
  expect((await choose(linkIn(text))).status).toBe(200)
})

test('a server that is busy is asked again, with another link; one that knows nobody there is believed', async () => {
  const [busy, wrong] = [await makeAccount(server), await makeAccount(server)]
  receiver.refuse({ code: 451, message: 'Greylisted' })
  await forgot(busy.email)
  await expect.poll(async () => (await rowsOf(busy.email))[0]?.error).toContain('Greylisted')
  const [row] = await rowsOf(busy.email)
  expect(row).toMatchObject({ state: 'waiting', attempts: 1 })
  expect(Date.parse(row?.next_at ?? '') - Date.now()).toBeGreaterThan(30_000)
  receiver.refuse(undefined)
  await hurry(busy.email)
  await settled(busy.email).toBe('sent')
  expect((await choose(linkIn(lettersTo(busy.email)[0]?.text ?? ''))).status).toBe(200)
  receiver.refuse({ code: 550, message: 'No such user here' })
  await forgot(wrong.email)
  await settled(wrong.email).toBe('failed')
  const list = await admin.get(`/api/v1/mail/?search=${wrong.email}`)
  expect(list.json().data).toEqual([
    expect.objectContaining({ state: 'failed', attempts: 1, error: expect.stringContaining('No such user here') }),
  ])
})

test('whoever asks again while a refused letter waits is sent one at once, also after the hour of the first', async () => {
  const user = await makeAccount(server)
  receiver.refuse({ code: 451, message: 'Greylisted' })
  await forgot(user.email)
  await expect.poll(async () => (await rowsOf(user.email))[0]?.error).toContain('Greylisted')
  receiver.refuse(undefined)
  const created_at = sql<string>`now() - interval '61 minutes'`
  const next_at = sql<string>`now() + interval '1 hour'`
  await server.db.updateTable('mail').set({ created_at, next_at }).where('recipient', '=', user.email).execute()
  await forgot(user.email)
  await settled(user.email).toBe('sent')
  expect(await rowsOf(user.email)).toHaveLength(1)
  expect((await choose(linkIn(lettersTo(user.email)[0]?.text ?? ''))).status).toBe(200)
})

test('a letter under way is not sent twice to who asks again', async () => {
  const user = await makeAccount(server)
  const next_at = sql<string>`now() + interval '5 minutes'`
  await server.db.insertInto('mail').values({ kind: 'reset', recipient: user.email, attempts: 1, next_at }).execute()
  const before = await rowsOf(user.email)
  await forgot(user.email)
  expect(await rowsOf(user.email)).toEqual(before)
})

test.each([2_000, 60_000])('a stop waits neither for all letters nor for one that takes %i ms', async (ms) => {
  receiver.slow(ms)
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const stopped = await start({ ...database, drop: () => Promise.resolve() })
  const people = await Promise.all(Array.from({ length: 10 }, () => makeAccount(stopped)))
  await stopped.db
    .insertInto('mail')
    .values(people.map(({ id, email }) => ({ kind: 'invite', recipient: email, user_id: id })))
    .execute()
  const tried = () => stopped.db.selectFrom('mail').select('id').where('attempts', '>', 0).execute()
  await expect.poll(tried).toHaveLength(1)
  await stopped.stop()
  const sent = people.flatMap(({ email }) => (lettersTo(email).length ? [email] : []))
  expect(sent.length).toBeLessThan(3)
  await asOwner(database.url, async (owner) => {
    const left = await owner
      .selectFrom('mail')
      .select(['state', 'attempts'])
      .where('recipient', 'not in', ['', ...sent])
      .execute()
    expect(left).toEqual(Array.from({ length: 10 - sent.length }, () => ({ state: 'waiting', attempts: 0 })))
  })
})

test('the seventh failure is the last, and a reset is not sent an hour late', async () => {
  const user = await makeAccount(server)
  receiver.refuse({ code: 451, message: 'Later' })
  await server.db
    .insertInto('mail')
    .values({ kind: 'invite', recipient: user.email, user_id: user.id, attempts: 6 })
    .execute()
  await settled(user.email).toBe('failed')
  receiver.refuse(undefined)
  const late = await makeAccount(server)
  const created_at = new Date(Date.now() - 2 * 3_600_000).toISOString()
  await server.db
    .insertInto('mail')
    .values({ kind: 'reset', recipient: late.email, user_id: late.id, created_at })
    .execute()
  await settled(late.email).toBe('failed')
  expect(lettersTo(late.email)).toEqual([])
})

test('a letter follows nobody who changed the address meanwhile', async () => {
  const user = await makeAccount(server)
  const later = new Date(Date.now() + 60_000).toISOString()
  await server.db
    .insertInto('mail')
    .values({ kind: 'invite', recipient: user.email, user_id: user.id, next_at: later })
    .execute()
  await admin.put(`/api/v1/auth/users/${user.id}/`, { email: `nueva${unique()}@pruebas.mx` })
  await hurry(user.email)
  await settled(user.email).toBe('failed')
  expect(lettersTo(user.email)).toEqual([])
})

test('what people are called cannot write into a letter', async () => {
  const user = await makeAccount(server, { first_name: '<b>Ana</b>\r\nBcc: x@example.mx' })
  await forgot(user.email)
  await settled(user.email).toBe('sent')
  const [letter] = lettersTo(user.email)
  expect(letter?.to).toEqual([user.email])
  expect(letter?.text).toContain('&lt;b&gt;Ana&lt;/b&gt;')
})

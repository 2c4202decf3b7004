import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startServer, TEST_SECRET, type TestServer } from '../testing.ts'
import type { Origin } from './origin.ts'
import { refreshSession } from './sessions.ts'
import { bearing, makeAccount, openSession, PASSWORD, refreshWith, signIn, trailOf } from './testing.ts'
import { Throttle } from './throttle.ts'
import { AccessTokens } from './tokens.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ TRUST_PROXY: '1' })
})
afterAll(() => server.stop())

const EXPIRED = 'Sesión expirada. Inicia sesión nuevamente.'
const PROFILE = '/api/v1/auth/profile/'
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)

async function account() {
  const user = await makeAccount(server)
  return { user, ...(await openSession(server, user.email)) }
}

const change = (userId: number, columns: Record<string, unknown>) =>
  server.db.updateTable('session').set(columns).where('user_id', '=', userId).execute()

test('a refresh answers a new access token, inside data and beside it', async () => {
  const { user, refresh, client } = await account()
  const answer = await refreshWith(server, refresh)
  const { success, data, access } = answer.json()
  expect([answer.status, success, Object.keys(data), access]).toEqual([200, true, ['access'], data.access])
  expect((await bearing(server, access).get(PROFILE)).json().data).toMatchObject({ id: user.id, email: user.email })
  expect((await client.get(PROFILE)).status).toBe(200)
  expect((await refreshWith(server, refresh)).status).toBe(200)
})

test('a refresh does not count as a sign-in', async () => {
  const { user, refresh } = await account()
  const lastLogin = () =>
    server.db.selectFrom('user').select('last_login').where('id', '=', user.id).executeTakeFirstOrThrow()
  const before = await lastLogin()
  await refreshWith(server, refresh)
  expect(await lastLogin()).toEqual(before)
})

test.each([
  ['idle for two hours', { last_used_at: ago(121) }],
  ['twelve hours old', { expires_at: ago(1) }],
  ['revoked', { revoked_at: ago(1) }],
])('a session %s is not refreshed', async (_, columns) => {
  const { user, refresh } = await account()
  await change(user.id, columns)
  const answer = await refreshWith(server, refresh)
  expect(answer.status).toBe(401)
  expect(answer.json()).toMatchObject({
    success: false,
    data: null,
    message: EXPIRED,
    errors: [EXPIRED],
    meta: { code: 'UNAUTHENTICATED' },
  })
})

test('use keeps a session alive', async () => {
  const { user, refresh } = await account()
  await change(user.id, { last_used_at: ago(119) })
  expect((await refreshWith(server, refresh)).status).toBe(200)
  const session = await server.db
    .selectFrom('session')
    .select('last_used_at')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  expect(Date.parse(session.last_used_at)).toBeGreaterThan(ago(1).getTime())
})

test.each(['', 'x', 'ñ', 'a'.repeat(512)])('a refresh token that never was gets the same 401', async (refresh) => {
  const answer = await refreshWith(server, refresh)
  expect([answer.status, answer.json().message]).toEqual([401, EXPIRED])
})

test('a refresh token must be a text', async () => {
  for (const refresh of [undefined, null, 7, ['x'], { $ne: '' }, 'a'.repeat(513)])
    expect((await refreshWith(server, refresh)).status).toBe(422)
})

test.each([
  ['with the refresh token', (refresh: string) => server.anonymous.post('/api/v1/auth/logout/', { refresh })],
  ['with the bearer alone', (_: string, access: string) => bearing(server, access).post('/api/v1/auth/logout/')],
  ['with both', (refresh: string, access: string) => bearing(server, access).post('/api/v1/auth/logout/', { refresh })],
])('signing out %s ends the session at once, twice is once', async (_, leave) => {
  const { user, access, refresh, client } = await account()
  const answer = await leave(refresh, access)
  expect([answer.status, answer.json().success]).toEqual([200, true])
  expect((await client.get(PROFILE)).status).toBe(401)
  expect((await refreshWith(server, refresh)).status).toBe(401)
  expect((await leave(refresh, access)).status).toBe(200)
  expect(await trailOf(server, user.id)).toEqual(['login', 'logout'])
})

test('signing out without anything is answered too', async () => {
  expect((await server.anonymous.post('/api/v1/auth/logout')).status).toBe(200)
  expect((await server.anonymous.post('/api/v1/auth/logout/', { refresh: 'nada' })).status).toBe(200)
})

test('another copy of the server suspends somebody: this one learns at once', async () => {
  const { user, client, refresh } = await account()
  expect((await client.get(PROFILE)).status).toBe(200)
  await server.db.updateTable('user').set({ user_status: 'suspended' }).where('id', '=', user.id).execute()
  // Well under the five seconds for which a viewer is cached.
  await expect.poll(async () => (await client.get(PROFILE)).status, { timeout: 4_000, interval: 10 }).toBe(401)
  expect((await refreshWith(server, refresh)).status).toBe(401)
})

test('another copy of the server ends a session: this one learns at once', async () => {
  const { user, client } = await account()
  expect((await client.get(PROFILE)).status).toBe(200)
  await change(user.id, { revoked_at: new Date() })
  await expect.poll(async () => (await client.get(PROFILE)).status, { timeout: 4_000, interval: 10 }).toBe(401)
})

test('one sees the own sessions and ends one of them, never a stranger\u2019s', async () => {
  const { user, client, refresh } = await account()
  const other = await openSession(server, user.email)
  const stranger = await account()
  const sessions = (await client.get('/api/v1/auth/sessions/')).json().data as { id: string; current: boolean }[]
  expect(sessions.map((session) => session.current).sort()).toEqual([false, true])
  const [theirs] = (await stranger.client.get('/api/v1/auth/sessions/')).json().data
  for (const id of [theirs.id, crypto.randomUUID(), 'x']) {
    expect((await client.delete(`/api/v1/auth/sessions/${id}/`)).status).toBe(404)
  }
  const notCurrent = sessions.find((session) => !session.current)
  expect((await client.delete(`/api/v1/auth/sessions/${notCurrent?.id}/`)).status).toBe(204)
  expect((await other.client.get(PROFILE)).status).toBe(401)
  expect((await refreshWith(server, other.refresh)).status).toBe(401)
  expect((await refreshWith(server, refresh)).status).toBe(200)
  expect((await stranger.client.get(PROFILE)).status).toBe(200)
  expect(await trailOf(server, user.id)).toContain('end_session')
})

test('the list of sessions shows who used each one last', async () => {
  const { client, refresh } = await account()
  const headers = { 'x-forwarded-for': '203.0.113.99', 'user-agent': 'Otro navegador/1' }
  expect((await server.anonymous.post('/api/v1/token/refresh/', { refresh }, { headers })).status).toBe(200)
  const sessions = (await client.get('/api/v1/auth/sessions/')).json().data
  expect(sessions).toMatchObject([{ address: '203.0.113.99', user_agent: 'Otro navegador/1' }])
})

test('one that is renewed from two networks within a minute is told of in the log', async () => {
  const { user, refresh } = await account()
  const warn = vi.fn()
  const [throttle, tokens] = [new Throttle(server.db, TEST_SECRET), new AccessTokens(TEST_SECRET)]
  const renewFrom = (address: string) =>
    refreshSession(server.db, throttle, tokens, refresh, { address, userAgent: '', log: { warn } } as unknown as Origin)
  await renewFrom('198.51.100.77')
  expect(warn).not.toHaveBeenCalled()
  await renewFrom('203.0.113.9')
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ userId: user.id }), expect.any(String))
  await change(user.id, { last_used_at: ago(2) })
  await renewFrom('198.51.100.77')
  expect(warn).toHaveBeenCalledTimes(1)
})

const CHANGE = '/api/v1/auth/password/change/'

test('a new password needs the old one and ends the other sessions', async () => {
  const { user, client, refresh } = await account()
  const other = await openSession(server, user.email)
  const answer = await client.post(CHANGE, { current_password: PASSWORD, new_password: 'otra clave más larga' })
  expect([answer.status, answer.json().message]).toEqual([200, 'Contraseña actualizada exitosamente'])
  expect((await other.client.get(PROFILE)).status).toBe(401)
  expect((await refreshWith(server, other.refresh)).status).toBe(401)
  expect([(await client.get(PROFILE)).status, (await refreshWith(server, refresh)).status]).toEqual([200, 200])
  expect((await signIn(server, user.email, PASSWORD)).status).toBe(401)
  expect((await signIn(server, user.email, 'otra clave más larga')).status).toBe(200)
  expect(await trailOf(server, user.id)).toContain('change_password')
})

test.each([
  ['una que no es', 'otra clave más larga', 'current_password', 'La contraseña actual no es correcta'],
  [PASSWORD, 'corta12', 'new_password', 'La contraseña debe tener al menos 8 caracteres'],
  [PASSWORD, 'x'.repeat(129), 'new_password', 'La contraseña no puede exceder 128 caracteres'],
  [PASSWORD, 'password1', 'new_password', 'Esta contraseña es demasiado común. Elige otra.'],
  [PASSWORD, 'PassWord1', 'new_password', 'Esta contraseña es demasiado común. Elige otra.'],
  [undefined, 'otra clave más larga', 'current_password', 'Este campo es requerido'],
])('a change from %s to %s is refused', async (current_password, new_password, field, message) => {
  const { client, user } = await account()
  const answer = await client.post(CHANGE, { current_password, new_password })
  expect([answer.status, answer.json().meta.field_errors]).toEqual([422, { [field]: [message] }])
  expect((await signIn(server, user.email)).status).toBe(200)
})

test('guessing the old password with a stolen token is locked like signing in', async () => {
  const { client } = await account()
  const guess = () => client.post(CHANGE, { current_password: 'una que no es', new_password: 'otra clave más larga' })
  const statuses: number[] = []
  for (let count = 0; count < 6; count += 1) statuses.push((await guess()).status)
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
})

test('everything of one\u2019s own needs a token', async () => {
  for (const path of [PROFILE, '/api/v1/auth/sessions/']) expect((await server.anonymous.get(path)).status).toBe(401)
  expect((await server.anonymous.post(CHANGE, {})).status).toBe(401)
})

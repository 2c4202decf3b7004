import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { auth } from '#contract/auth.ts'
import { products } from '#contract/products.ts'
import { call } from './client.ts'
import { apiBase } from './config.ts'
import { elevation } from './elevation.ts'
import { ApiError, ELEVATION_CANCELLED } from './errors.ts'
import { session } from './session.ts'
import { callWhole } from './whole-list.ts'

/** The browser's storage, which Node does not have. */
function memoryStorage() {
  const stored = new Map<string, string>()
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
    clear: () => stored.clear(),
  }
}
vi.stubGlobal('localStorage', memoryStorage())
vi.stubGlobal('sessionStorage', memoryStorage())
afterAll(() => void vi.unstubAllGlobals())

type Seen = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { body: string }
type Answer = (request: Seen, response: ServerResponse) => void

let server: Server
let seen: Seen[] = []
let answer: Answer

const json =
  (status: number, body: unknown): Answer =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
const success = (data: unknown, meta = {}): Answer =>
  json(200, { success: true, data, message: null, errors: null, meta })

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method, url, headers } = request
    seen.push({ method, url, headers, body })
    answer({ method, url, headers, body }, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

beforeEach(() => {
  seen = []
  answer = success([])
  localStorage.clear()
  sessionStorage.clear()
  setBase(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  session.open({ access: 'old', refresh: 'r1' }, { email: 'ana@mail.com' })
})
const setBase = (urlBase: string) => localStorage.setItem('afluente.config', JSON.stringify({ urlBase }))

const failure = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

test.each([
  ['', ''],
  ['https://api.afluente.mx/', 'https://api.afluente.mx'],
  ['https://api.afluente.mx', 'https://api.afluente.mx'],
  ['http://localhost:8000/', 'http://localhost:8000'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['http://api.afluente.mx', ''],
  ['http://127.0.0.1.evil.mx', ''],
  ['javascript:alert(1)', ''],
  ['nonsense', ''],
])('the stored base %j is used as %j', (stored, base) => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  setBase(stored)
  expect(apiBase()).toBe(base)
})

test('a read carries the token, asks for JSON and claims no body', async () => {
  answer = success([{ id: 1 }])
  expect(await call(products.list, { query: { issuer_id: 7, name: '' } })).toEqual([{ id: 1 }])
  expect(seen[0]).toMatchObject({ method: 'GET', url: '/api/v1/products/?issuer_id=7', body: '' })
  expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer old', accept: 'application/json' })
  expect(seen[0]?.headers['content-type']).toBeUndefined()
})

test('signing in carries no token and a JSON body', async () => {
  answer = success({ access: 'a', refresh: 'r', user: {} })
  await call(auth.login, { body: { email: 'ana@mail.com', password: '123456' } })
  expect(seen[0]?.headers.authorization).toBeUndefined()
  expect(seen[0]?.headers).toMatchObject({ accept: 'application/json', 'content-type': 'application/json' })
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ email: 'ana@mail.com', password: '123456' })
})

test('204 is nothing and plain text is text', async () => {
  answer = (_, response) => void response.writeHead(204).end()
  expect(await call(products.remove, { params: { id: 3 } })).toBeUndefined()
  expect(seen[0]?.url).toBe('/api/v1/products/3/')
  answer = (_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end('hecho')
  expect(await call(products.remove, { params: { id: 3 } })).toBe('hecho')
})

test.each([
  [{ message: 'uno', errors: ['dos'], data: null }, 'uno'],
  [{ message: 'uno', errors: ['dos'], data: { message: 'tres', errors: ['cuatro'] } }, 'tres'],
  [{ message: 'uno', data: { errors: ['a', 'b'] } }, 'a, b'],
  [{ errors: ['a', 'b'] }, 'a, b'],
  [{ detail: 'x' }, 'Ocurrió un error inesperado'],
  [{ message: '', errors: [] }, 'Ocurrió un error inesperado'],
])('the refusal %j reads %j', async (body, text) => {
  answer = json(400, body)
  const error = await failure(call(products.list))
  expect([error.status, error.message]).toEqual([400, text])
})

test('a refusal without JSON reads as its text, an empty one and a page as the status', async () => {
  answer = (_, response) => void response.writeHead(400, { 'content-type': 'text/plain' }).end('x1')
  expect((await failure(call(products.list))).message).toBe('x1')
  answer = (_, response) => void response.writeHead(500).end()
  expect((await failure(call(products.list))).message).toBe('Error 500')
  answer = (_, response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
  expect((await failure(call(products.list))).message).toBe('Error 502')
})

test('the words of the screen say more than a server that knows no reason', async () => {
  const fallback = 'No se pudo'
  answer = json(500, { success: false, data: null, message: 'Ocurrió un error inesperado', errors: null })
  expect((await failure(call(products.list, { fallback }))).message).toBe(fallback)
  answer = json(500, { message: 'No hay espacio' })
  expect((await failure(call(products.list, { fallback }))).message).toBe('No hay espacio')
})

test('a refusal names its fields and its code; success false is one too', async () => {
  const meta = { code: 'VALIDATION_ERROR', field_errors: { name: ['corto'] } }
  answer = json(422, { success: false, data: null, message: 'Revisa', errors: [], meta })
  expect(await failure(call(products.list))).toMatchObject({ fieldErrors: meta.field_errors, code: meta.code })
  answer = json(200, { success: false, data: null, message: null, errors: null })
  expect((await failure(call(products.list, { fallback: 'No se pudo' }))).message).toBe('No se pudo')
})

test('an unreachable server is a connection error', async () => {
  answer = (_, response) => void response.destroy()
  expect(await failure(call(products.list))).toMatchObject({
    status: 0,
    message: 'Error de conexión. Inténtalo de nuevo.',
  })
})

const refreshes = () => seen.filter(({ url }) => url === '/api/v1/token/refresh/')
const guarded: Answer = (request, response) => {
  if (request.url === '/api/v1/token/refresh/')
    return json(200, { success: true, data: { access: 'new' }, access: 'new' })(request, response)
  return request.headers.authorization === 'Bearer new'
    ? success(['ok'])(request, response)
    : json(401, {})(request, response)
}

test('ten refused calls share one refresh and each is tried once more', async () => {
  answer = guarded
  const answers = await Promise.all(Array.from({ length: 10 }, () => call(products.list)))
  expect(answers).toEqual(Array.from({ length: 10 }, () => ['ok']))
  expect(refreshes()).toHaveLength(1)
  expect(refreshes()[0]?.headers.authorization).toBeUndefined()
  expect(JSON.parse(refreshes()[0]?.body ?? '')).toEqual({ refresh: 'r1' })
  expect([session.accessToken(), session.refreshToken()]).toEqual(['new', 'r1'])
})

test('a refused retry is not refreshed again', async () => {
  answer = (request, response) =>
    request.url === '/api/v1/token/refresh/'
      ? success({ access: 'new' })(request, response)
      : json(401, { message: 'no' })(request, response)
  expect(await failure(call(products.list))).toMatchObject({ status: 401, message: 'no' })
  expect(seen).toHaveLength(3)
})

test.each([
  ['refused', json(401, { message: 'muerta' })],
  ['without a token', success({})],
])('a refresh that is %s ends the session', async (_, refreshAnswer) => {
  answer = (request, response) =>
    (request.url === '/api/v1/token/refresh/' ? refreshAnswer : json(401, {}))(request, response)
  const ended = vi.fn()
  const unsubscribe = session.subscribe(ended)
  expect((await failure(call(products.list))).message).toBe('Sesión expirada. Inicia sesión nuevamente.')
  unsubscribe()
  expect([session.accessToken(), session.refreshToken(), session.user()]).toEqual([null, null, null])
  expect(ended).toHaveBeenCalledOnce()
})

const cut = (rows: { id: number }[]) => success(rows, { truncated: true })
const wholeList = () => callWhole(products.list, { query: { status: 'active' }, signal: AbortSignal.timeout(5_000) })

test('a list that is cut is asked for until it is whole', async () => {
  const answers = [cut([{ id: 4 }, { id: 3 }]), cut([{ id: 3 }, { id: 2 }]), success([{ id: 2 }, { id: 1 }])]
  answer = (request, response) => answers.shift()?.(request, response)
  expect(await wholeList()).toEqual([{ id: 4 }, { id: 3 }, { id: 2 }, { id: 1 }])
  const queries = ['status=active', 'status=active&offset=1', 'status=active&offset=2']
  expect(seen.map(({ url }) => url?.split('?')[1])).toEqual(queries)
})

test('a list in which rows came or went meanwhile begins anew', async () => {
  const answers = [cut([{ id: 4 }, { id: 3 }]), success([{ id: 2 }]), cut([{ id: 4 }, { id: 2 }]), success([{ id: 2 }])]
  answer = (request, response) => answers.shift()?.(request, response)
  expect(await wholeList()).toEqual([{ id: 4 }, { id: 2 }])
})

test('a list that never becomes whole is refused instead of passing for whole', async () => {
  answer = cut([{ id: 2 }, { id: 1 }])
  expect((await failure(wholeList())).message).toBe('La lista no llegó completa. Intenta de nuevo.')
})

test('pieces that bring nothing new are not asked for ever', async () => {
  answer = cut([{ id: 1 }])
  expect((await failure(wholeList())).message).toBe('La lista no llegó completa. Intenta de nuevo.')
  expect(seen).toHaveLength(6)
})

test('a server that is down does not sign anybody out', async () => {
  answer = (request, response) =>
    json(request.url === '/api/v1/token/refresh/' ? 503 : 401, { message: 'ocupado' })(request, response)
  expect(await failure(call(products.list))).toMatchObject({ status: 503, message: 'ocupado' })
  expect(session.refreshToken()).toBe('r1')
})

test('a refused sign-in asks for no refresh', async () => {
  answer = json(401, { message: 'Correo o contraseña incorrectos' })
  await failure(call(auth.login, { body: { email: 'ana@mail.com', password: '123456' } }))
  expect(refreshes()).toHaveLength(0)
})

test('the stored person carries nothing beyond what the screens need', () => {
  session.open(
    { access: 'a', refresh: 'r' },
    { id: 1, email: 'ana@mail.com', full_name: 'Ana Paz', role: 'admin', created_at: 'x' },
  )
  expect(JSON.parse(sessionStorage.getItem('authUser') ?? '')).toEqual({
    id: 1,
    email: 'ana@mail.com',
    full_name: 'Ana Paz',
    role: 'admin',
  })
})

test('an update names the row as it was read, and a creation its form', async () => {
  await call(products.update, { params: { id: 3 }, body: { name: 'Oro' }, ifMatch: '2026-11-26T01:00:00.123Z' })
  expect(seen[0]?.headers['if-match']).toBe('"2026-11-26T01:00:00.123Z"')
  const body = { issuer_id: 1, name: 'Oro', description: 'Tarjeta', redirect_url: 'https://banco.mx/{tracking_id}' }
  await call(products.create, { body, requestKey: 'k1' })
  expect(seen[1]?.headers).toMatchObject({ 'idempotency-key': 'k1' })
  expect(seen[1]?.headers['if-match']).toBeUndefined()
})

test('who has to show again who they are is asked so also after the token was renewed', async () => {
  answer = (request, response) => {
    if (request.url === '/api/v1/token/refresh/') return success({ access: 'new' })(request, response)
    if (request.headers.authorization === 'Bearer old') return json(401, {})(request, response)
    const refused = seen.length < 4
    return (refused ? json(403, { meta: { code: 'ELEVATION_REQUIRED' } }) : success(['ok']))(request, response)
  }
  const ask = vi.fn(() => Promise.resolve(true))
  const leave = elevation.answerBy(ask)
  expect(await call(products.list)).toEqual(['ok'])
  leave()
  expect(ask).toHaveBeenCalledOnce()
  expect(seen.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer old',
    undefined,
    'Bearer new',
    'Bearer new',
  ])
})

test('a question that was left with its screen is answered no, and the next call asks anew', async () => {
  const unproven = json(403, { message: 'Confirma que eres tú', meta: { code: 'ELEVATION_REQUIRED' } })
  const ask = vi.fn(() => new Promise<boolean>(() => undefined))
  answer = unproven
  const leave = elevation.answerBy(ask)
  const first = failure(call(products.list))
  await expect.poll(() => ask.mock.calls).toHaveLength(1)
  leave()
  expect(await first).toMatchObject({ status: 403, message: 'Confirma que eres tú', code: ELEVATION_CANCELLED })

  const leaveWithSession = elevation.answerBy(ask)
  const second = failure(call(products.list))
  await expect.poll(() => ask.mock.calls).toHaveLength(2)
  session.clear()
  leaveWithSession()
  expect(await second).toMatchObject({ status: 401, message: 'Sesión expirada. Inicia sesión nuevamente.' })

  session.open({ access: 'again', refresh: 'r2' }, { email: 'ana@mail.com' })
  answer = (request, response) => (seen.length > 3 ? success(['ok']) : unproven)(request, response)
  const done = elevation.answerBy(() => Promise.resolve(true))
  expect(await call(products.list)).toEqual(['ok'])
  done()
})

test('a page that is left for another session acts no more, whatever was on its way', async () => {
  const assign = vi.fn()
  vi.stubGlobal('location', { assign })
  vi.stubGlobal('addEventListener', vi.fn())
  const { promise, resolve: release } = Promise.withResolvers<void>()
  answer = (request, response) => void promise.then(() => json(401, {})(request, response))
  const settled = vi.fn()
  void call(products.list).finally(settled)
  await expect.poll(() => seen).toHaveLength(1)
  const { setTimeout: wait } = globalThis
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] })
  session.beginView({ access: 'view', refresh: 'r2' }, { email: 'eva@mail.com' })
  release()
  void call(products.remove, { params: { id: 3 } }).finally(settled)
  await new Promise((resolve) => wait(resolve, 200))
  expect(settled).not.toHaveBeenCalled()
  expect(seen).toHaveLength(1)
  expect(session.accessToken()).toBe('view')
  expect(assign).toHaveBeenCalledTimes(1)
  // As if the page to come had been stopped: it is asked for again, once for the two calls.
  vi.runAllTimers()
  expect(assign.mock.calls).toEqual([['/app/dashboard'], ['/app/dashboard']])
  vi.useRealTimers()

  session.endView()
  answer = success(['ok'])
  expect(await call(products.list)).toEqual(['ok'])
  expect(seen[1]?.headers.authorization).toBe('Bearer old')
  expect(assign).toHaveBeenLastCalledWith('/app/admin/users')
})

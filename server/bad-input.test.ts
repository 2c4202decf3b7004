import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Endpoint, isNothing, pathOf } from '#contract/endpoint.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { fieldsOf, goodBodies, type Ids, makeTargets } from './bad-input.testing.ts'
import { ApiKeys } from './companies/api-keys.ts'
import { openApiPath } from './docs/document.ts'
import type { OpenApi } from './docs/page.ts'
import { complaint, sendRaw } from './raw.testing.ts'
import { startServer, TEST_SECRET, type TestAnswer, type TestClient, type TestServer } from './testing.ts'

let server: TestServer
let ids: Ids
let keys: { api: string; postback: string }
let document: OpenApi
beforeAll(async () => {
  server = await startServer({ DASHBOARD_ORIGINS: 'https://tableros.example.mx' })
  document = (await server.anonymous.get('/api/v1/openapi.json')).json()
  ids = await makeTargets(server.db)
  const apiKeys = new ApiKeys(server.db, TEST_SECRET)
  const owner = { issuerId: ids.issuer_id }
  keys = {
    api: await apiKeys.create(server.db, owner, 'api'),
    postback: await apiKeys.create(server.db, owner, 'postback'),
  }
})
afterAll(() => server.stop())

interface Attack {
  what: string
  query?: string
  id?: string
  method?: string
  rawBody?: string
  headers?: Record<string, string>
}

const JSON_TYPE = { 'content-type': 'application/json' }
const json = (what: string, rawBody: string): Attack => ({ what, rawBody, headers: JSON_TYPE })

/** Sends every attack to the endpoint with the right to call it; a new user before the old one is slowed down. */
async function* attack(endpoint: Endpoint, attacks: Attack[]): AsyncGenerator<{ what: string; answer: TestAnswer }> {
  let client: TestClient = server.anonymous
  for (const [
    index,
    { what, query = '', id = ids.idOf(endpoint), method = endpoint.method, rawBody, headers },
  ] of attacks.entries()) {
    if (Array.isArray(endpoint.access) && index % 80 === 0) client = await server.as({ role: 'admin' })
    const path = endpoint.path.replace(':id', id) + tokenOf(endpoint, query)
    const credentials: Record<string, string> = endpoint.access === 'issuer-key' ? { 'x-api-key': keys.api } : {}
    const options = { headers: { ...credentials, ...headers }, ...(rawBody !== undefined && { rawBody }) }
    yield { what, answer: await client.request(method, path, options) }
  }
}

const tokenOf = ({ access }: Endpoint, query: string) =>
  access === 'postback-token' ? `?token=${keys.postback}${query.replace('?', '&')}` : query

async function expectRefused(endpoint: Endpoint, attacks: Attack[], mustRefuse = true): Promise<void> {
  const complaints: string[] = []
  for await (const { what, answer } of attack(endpoint, attacks)) {
    const text = complaint(answer, mustRefuse) ?? undocumented(endpoint, answer)
    if (text) complaints.push(`${what}: ${text.slice(0, 300)}`)
  }
  expect(complaints).toEqual([])
}

const operationOf = ({ path, method }: Endpoint) => document.paths[openApiPath(path)]?.[method.toLowerCase()]

/** Whoever writes a client reads in the document which answers to expect. */
function undocumented(endpoint: Endpoint, { status }: TestAnswer): string | undefined {
  return operationOf(endpoint)?.responses[status] ? undefined : `${status} is not in the document`
}

const cells = allEndpoints.map((cell) => ({ ...cell, call: `${cell.endpoint.method} ${cell.endpoint.path}` }))

const BAD_IDS = [
  ...[
    '0',
    '-1',
    '1.5',
    'NaN',
    '1e309',
    'abc',
    '%00',
    '1%00',
    '%E0%A4%A',
    '%ED%A0%80',
    '__proto__',
    '%2e%2e%2f1',
    "1'--",
    '1;2',
  ],
  ...[
    '2147483648',
    '9223372036854775807',
    '9223372036854775808',
    '9'.repeat(90),
    '9'.repeat(500),
    '[1]',
    '%F0%9F%92%A9',
  ],
]
test.each(cells.filter(({ endpoint }) => endpoint.path.includes(':id')))(
  '$call refuses bad ids',
  async ({ endpoint, name }) => {
    const body = goodBodies[name]
    const rawBody = body && JSON.stringify(body(ids))
    await expectRefused(
      endpoint,
      BAD_IDS.map((id) => ({ what: id, id, ...(rawBody && { rawBody, headers: JSON_TYPE }) })),
    )
  },
)

const BAD_PARAMETERS = [
  '%00',
  '%E0%A4%A',
  '%ED%A0%80',
  '9223372036854775808',
  '-1',
  '1e309',
  '[]',
  '%25',
  'x'.repeat(3000),
]
test.each(cells.filter(({ endpoint }) => endpoint.method === 'GET'))(
  '$call survives bad parameters',
  async ({ endpoint }) => {
    const fields = fieldsOf(endpoint.query)
    const given = (field: string, value: string) => ({ what: `${field}=${value}`, query: `?${field}=${value}` })
    const attacks = fields.flatMap((field) => BAD_PARAMETERS.map((value) => given(field, value)))
    // Whatever their value, which is decoded and cleaned before a name is looked at.
    const unknown = ['unknown', '__proto__', 'constructor'].map((field) => given(field, '1'))
    const nested = fields.map((field) => ({ what: `${field}[]`, query: `?${field}[]=1&${field}[a]=2&__proto__[x]=1` }))
    const inherited = ['constructor', 'toString'].map((name) => ({ what: name, query: `?${name}=1&${name}=2` }))
    await expectRefused(endpoint, [...attacks, ...unknown, ...nested, ...inherited], false)
  },
)

test.each(cells.filter(({ endpoint }) => fieldsOf(endpoint.query).length))(
  '$call refuses repeated parameters',
  async ({ endpoint }) => {
    await expectRefused(
      endpoint,
      fieldsOf(endpoint.query).map((field) => ({ what: field, query: `?${field}=1&${field}=2` })),
    )
  },
)

test.each(cells)('$call refuses an address that is too long or badly encoded', async ({ endpoint }) => {
  await expectRefused(endpoint, [
    { what: '8 KB', query: `?a=${'x'.repeat(8192)}` },
    { what: '%', query: '?a=%' },
    { what: '%E0%A4%A', query: '?%E0%A4%A=1' },
  ])
})

const withBody = cells.filter(({ endpoint }) => !isNothing(endpoint.body))

test('every call with a body has a good one here to be spoiled', () => {
  expect(withBody.map(({ name }) => name).filter((name) => !goodBodies[name])).toEqual([])
})

test.each(withBody.filter(({ endpoint }) => endpoint.access !== 'postback-token'))(
  '$call refuses what is not a good JSON object',
  async ({ endpoint }) => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    await expectRefused(
      endpoint,
      [
        ...[
          '{"a":',
          '{',
          '{"a":1,}',
          "{'a':1}",
          'undefined',
          'NaN',
          '',
          '{"a":1e}',
          '\u0000',
          '{"a":1}}',
          '"\\ud800',
        ].map((body) => json(body, body)),
        ...['[]', '"text"', '1', 'true', '[{}]'].map((body) => json(body, body)),
        ...[20, 1000, 10_000].map((levels) => json(`${levels} levels`, deep(levels))),
        json('a list of 5000 levels', `${'['.repeat(5000)}${']'.repeat(5000)}`),
        json('__proto__', '{"__proto__":{"role":"admin"}}'),
        json('constructor', '{"constructor":{"prototype":{"role":"admin"}}}'),
        json('too big', `{"a":"${'x'.repeat(endpoint.bodyLimit - 7)}"}`),
        ...['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/json-seq'].map((type) => ({
          what: type,
          rawBody: '{}',
          headers: { 'content-type': type },
        })),
      ].filter(({ what }) => !(optionalBody(endpoint) && ['constructor', ''].includes(what))),
    )
  },
)

const ofAdmin = ({ access }: Endpoint) => !Array.isArray(access) || access.includes('admin')
test.each(withBody.filter(({ endpoint }) => ofAdmin(endpoint)))(
  '$call takes a body of no type but its own',
  async ({ endpoint, name }) => {
    const rawBody = JSON.stringify(goodBodies[name]?.(ids))
    const attacks = ['text/plain', 'text/plain; charset=utf-8', 'application/xml'].map((type) => ({
      ...{ what: type, rawBody, headers: { 'content-type': type } },
    }))
    for await (const { what, answer } of attack(endpoint, attacks))
      expect([what, answer.status, answer.json().meta.code]).toEqual([what, 415, 'UNSUPPORTED_MEDIA_TYPE'])
  },
)

const optionalBody = ({ body }: Endpoint) => body.safeParse(undefined).success

/** Written as they stand in the text, since JSON.stringify cannot write some of them. */
const BAD_VALUES = [
  ...['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '2147483648', '9223372036854775808', '-1', '1e309', '0.1'],
  ...['null', 'true', '""', `"${'x'.repeat(6000)}"`, `"${'9'.repeat(400)}"`, '"9999-99-99"', '"0000-01-01"', '"‮txt"'],
]
const spoil = (body: Record<string, unknown>, field: string, value: string) =>
  JSON.stringify({ ...body, [field]: '@@' }).replace('"@@"', value)

test.each(withBody)('$call survives bad values in every field', async ({ endpoint, name }) => {
  const good = goodBodies[name]
  const attacks = Object.keys(good?.(ids) ?? {}).flatMap((field) =>
    BAD_VALUES.map((value) => json(`${field}: ${value.slice(0, 20)}`, spoil(good?.(ids) ?? {}, field, value))),
  )
  await expectRefused(endpoint, attacks, false)
})

test.each(withBody)('$call refuses lists and objects for scalars', async ({ endpoint, name }) => {
  const good = goodBodies[name]
  const scalars = Object.entries(good?.(ids) ?? {}).filter(([, value]) => typeof value !== 'object')
  const attacks = scalars.flatMap(([field]) =>
    ['[]', '[1]', '["a","b"]', '{}', '{"$ne":1}', '{"toString":1}'].map((value) =>
      json(`${field}: ${value}`, spoil(good?.(ids) ?? {}, field, value)),
    ),
  )
  await expectRefused(endpoint, attacks)
})

const paths = [...Map.groupBy(cells, ({ endpoint }) => endpoint.path)]
const ALL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
test.each(paths)('%s names its methods when another is used', async (path, served) => {
  const allowed = served.map(({ endpoint }) => endpoint.method as string)
  // A HEAD of a file would make the whole file in order to throw it away.
  if (served.some(({ endpoint }) => endpoint.method === 'GET' && !endpoint.file)) allowed.push('HEAD')
  for (const method of ALL_METHODS.filter((method) => !allowed.includes(method))) {
    const answer = await server.anonymous.request(method, pathOf({ path }, { id: '1' }))
    expect([method, answer.status, answer.headers.get('allow')?.split(', ').sort()]).toEqual([
      method,
      405,
      allowed.sort(),
    ])
    if (method !== 'HEAD') expect(answer.json().meta.code).toBe('METHOD_NOT_ALLOWED')
  }
})

const LOGIN = 'POST /api/v1/auth/login/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n'
const GET = 'GET /api/v1/products/ HTTP/1.1\r\nConnection: close\r\n'
const raw: [what: string, text: string, status: number][] = [
  [
    'two framings',
    `${LOGIN}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n`,
    400,
  ],
  ['two framings the other way round', `${LOGIN}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`, 400],
  ['two lengths', `${LOGIN}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}{}{}`, 400],
  ['a negative length', `${LOGIN}Content-Length: -1\r\n\r\n`, 400],
  ['an endless length', `${LOGIN}Content-Length: 99999999999999999999\r\n\r\n`, 400],
  ['an unknown transfer encoding', `${LOGIN}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`, 400],
  [
    'a bad chunk',
    `${LOGIN}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n`,
    400,
  ],
  ['a space before the colon', `${GET}Host : x\r\n\r\n`, 400],
  ['a folded header', `${GET}Host: x\r\nX-A: b\r\n c: d\r\n\r\n`, 400],
  ['a NUL in a header', `${GET}Host: x\r\nX-A: b\u0000c\r\n\r\n`, 400],
  ['no host', `${GET}\r\n`, 400],
  ['two hosts', `${GET}Host: x\r\nHost: y\r\n\r\n`, 400],
  ['the same host twice', `${GET}Host: x\r\nhost: x\r\n\r\n`, 400],
  ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['another protocol', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400],
  ['no protocol at all', '\u0016\u0003\u0001\u0000\u0005hello\r\n\r\n', 400],
  ['an expectation', `${LOGIN}Expect: 200-ok\r\nContent-Length: 2\r\n\r\n{}`, 417],
  ['headers of 17 KB', `${GET}Host: x\r\nX-A: ${'x'.repeat(17 * 1024)}\r\n\r\n`, 431],
  [
    'an address of 9 KB',
    `GET /api/v1/products/?a=${'x'.repeat(9 * 1024)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    414,
  ],
  [
    'a body that is announced too big',
    `${LOGIN}Content-Type: application/json\r\nContent-Length: 65537\r\n\r\n${' '.repeat(65537)}`,
    413,
  ],
  [
    'a body without an end',
    `${LOGIN}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${`10000\r\n${' '.repeat(65_536)}\r\n`.repeat(100)}`,
    413,
  ],
  ['TRACE', 'TRACE /api/v1/products/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 405],
  [
    'TRACE of a link',
    'TRACE /api/v1/leads/redirect/1/?product_id=1 HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\nConnection: close\r\n\r\n',
    405,
  ],
  ['OPTIONS without an origin', 'OPTIONS /api/v1/products/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 405],
  ['a method of WebDAV', 'PROPFIND /api/v1/products/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
]
test.each(raw)('%s on the wire is refused in the envelope', async (_what, text, status) => {
  const answer = await sendRaw(server.origin, text)
  expect([answer.status, complaint(answer, true)]).toEqual([status, undefined])
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
})

test.each([
  '/%',
  '/%E0%A4%A',
  '/%00',
  '//',
  '/api/%E0%A4%A',
  '/api/v1/%00/',
  '/api//v1/products/',
  '/api/v1/products/..%2f',
  '/api/docs/x',
  '/healthz/x',
])('%s is no reason to fail', async (path) => {
  for (const method of ['GET', 'POST', 'DELETE']) {
    const answer = await server.anonymous.request(method, path)
    // What is not under /api is the web's, which answers a page that it may not have been built for.
    if (path.startsWith('/api') || method !== 'GET') expect(complaint(answer, true)).toBeUndefined()
    expect(answer.status).not.toBe(500)
  }
})

test('the server still works after all that', async () => {
  expect((await (await server.as({ role: 'admin' })).get('/api/v1/products/')).status).toBe(200)
})

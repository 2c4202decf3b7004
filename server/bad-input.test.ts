import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Endpoint, isNothing, pathOf } from '#contract/endpoint.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { isWhole } from '#db/testing.ts'
import { fieldsOf, goodBodies, type Ids, makeTargets } from './bad-input.testing.ts'
import {
  type Attack,
  BAD_BODIES,
  BAD_IDS,
  BAD_PARAMETERS,
  BAD_VALUES,
  inTurns,
  isBodyTaken,
  isIdTaken,
  isTaken,
  JSON_TYPE,
  json,
  spoil,
} from './bad-values.testing.ts'
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

/** Sends every attack to the endpoint with the right to call it. */
async function* attack(endpoint: Endpoint, attacks: Attack[]): AsyncGenerator<{ what: string; answer: TestAnswer }> {
  for (const { what, query = '', id = ids.idOf(endpoint), method = endpoint.method, rawBody, headers } of attacks) {
    const client = Array.isArray(endpoint.access) ? await adminFor(endpoint) : server.anonymous
    const path = endpoint.path.replace(':id', id) + tokenOf(endpoint, query)
    const credentials: Record<string, string> = endpoint.access === 'issuer-key' ? { 'x-api-key': keys.api } : {}
    const options = { headers: { ...credentials, ...headers }, ...(rawBody !== undefined && { rawBody }) }
    yield { what, answer: await client.request(method, path, options) }
  }
}

let admin: TestClient
let calls = 0
/** What is called about one's own account may end it, and a token lasts ten minutes. */
async function adminFor(endpoint: Endpoint): Promise<TestClient> {
  if (endpoint.need === 'own' && endpoint.method !== 'GET') return server.as({ role: 'admin' })
  if (calls++ % 200 === 0) admin = await server.as({ role: 'admin' })
  return admin
}

const tokenOf = ({ access }: Endpoint, query: string) =>
  access === 'postback-token' ? `?token=${keys.postback}${query.replace('?', '&')}` : query

async function complaintsOf(endpoint: Endpoint, attacks: Attack[], mustRefuse = true): Promise<string[]> {
  const complaints: string[] = []
  for await (const { what, answer } of attack(endpoint, attacks)) {
    const text = complaint(answer, mustRefuse) ?? undocumented(endpoint, answer)
    if (text) complaints.push(`${endpoint.method} ${endpoint.path}, ${what}: ${text.slice(0, 300)}`)
  }
  return complaints
}

interface Cell {
  name: string
  endpoint: Endpoint
}

/** Attacks each call as `attacksOf` says, and expects every answer to be a good refusal. */
async function expectRefused(cells: Cell[], attacksOf: (cell: Cell, index: number) => Attack[], mustRefuse = true) {
  const complaints: string[] = []
  for (const [index, cell] of cells.entries())
    complaints.push(...(await complaintsOf(cell.endpoint, attacksOf(cell, index), mustRefuse)))
  expect(complaints).toEqual([])
}

const operationOf = ({ path, method }: Endpoint) => document.paths[openApiPath(path)]?.[method.toLowerCase()]

/** Whoever writes a client reads in the document which answers to expect. */
function undocumented(endpoint: Endpoint, { status }: TestAnswer): string | undefined {
  return operationOf(endpoint)?.responses[status] ? undefined : `${status} is not in the document`
}

const withIds = allEndpoints.filter(({ endpoint }) => endpoint.path.includes(':id'))

test('every call refuses a bad id', async () => {
  await expectRefused(withIds, ({ name, endpoint }, index) => {
    const body = goodBodies[name]
    const rawBody = body && JSON.stringify(body(ids))
    // What the schema takes comes to what lies behind.
    const [taken = [], refused = []] = [true, false].map((is) => BAD_IDS.filter((id) => isIdTaken(endpoint, id) === is))
    return [...taken, ...inTurns(refused, index, 1)].map((id) => ({
      what: id,
      id,
      ...(rawBody && { rawBody, headers: JSON_TYPE }),
    }))
  })
})

const given = (field: string, value: string) => ({ what: `${field}=${value}`, query: `?${field}=${value}` })

/** A value for all parameters at once that take it; alone what none takes, of which one call is like another. */
function badParametersOf(endpoint: Endpoint, index: number): Attack[] {
  const fields = fieldsOf(endpoint.query)
  if (isWhole) return fields.flatMap((field) => BAD_PARAMETERS.map((value) => given(field, value)))
  const together = BAD_PARAMETERS.flatMap((value) => {
    const taking = fields.filter((field) => isTaken(endpoint, `${field}=${value}`)).map((field) => `${field}=${value}`)
    return taking.length ? [{ what: taking.join(), query: `?${taking.join('&')}` }] : []
  })
  const refused = fields.flatMap((field) =>
    BAD_PARAMETERS.filter((value) => !isTaken(endpoint, `${field}=${value}`)).map((value) => given(field, value)),
  )
  return [...inTurns(together, index, 3), ...inTurns(refused, index, 1)]
}

test('no parameter, bad or unknown, breaks a call', async () => {
  const reads = allEndpoints.filter(({ endpoint }) => endpoint.method === 'GET')
  await expectRefused(
    reads,
    ({ endpoint }, index) => {
      const fields = fieldsOf(endpoint.query)
      const nested = fields.map((field) => ({
        what: `${field}[]`,
        query: `?${field}[]=1&${field}[a]=2&__proto__[x]=1`,
      }))
      const inherited = ['constructor', 'toString'].map((name) => ({ what: name, query: `?${name}=1&${name}=2` }))
      // Whatever their value, which is decoded and cleaned before a name is looked at.
      const unknown = ['unknown', '__proto__', 'constructor'].map((field) => given(field, '1'))
      return [
        ...badParametersOf(endpoint, index),
        ...inTurns([...unknown, ...inherited], index, 1),
        ...inTurns(nested, index, 1),
      ]
    },
    false,
  )
})

const withQuery = allEndpoints.filter(({ endpoint }) => fieldsOf(endpoint.query).length)

test('no call takes a parameter twice', async () => {
  const taken = withQuery.flatMap(({ name, endpoint }) =>
    fieldsOf(endpoint.query)
      .filter((field) => isTaken(endpoint, `${field}=1&${field}=2`))
      .map((field) => `${name}: ${field}`),
  )
  expect(taken).toEqual([])
  await expectRefused(withQuery, ({ endpoint }, index) =>
    inTurns(fieldsOf(endpoint.query), index, 1).map((field) => ({ what: field, query: `?${field}=1&${field}=2` })),
  )
})

test('every call refuses an address that is too long or badly encoded', async () => {
  const bad = [
    { what: '8 KB', query: `?a=${'x'.repeat(8192)}` },
    { what: '%', query: '?a=%' },
    { what: '%E0%A4%A', query: '?%E0%A4%A=1' },
  ]
  await expectRefused(allEndpoints, ({ endpoint }, index) =>
    inTurns(endpoint.unparsed ? bad.slice(0, 1) : bad, index, 1),
  )
})

const withBody = allEndpoints.filter(({ endpoint }) => !isNothing(endpoint.body))

test('every call with a body has a good one here to be spoiled', () => {
  expect(withBody.map(({ name }) => name).filter((name) => !goodBodies[name])).toEqual([])
})

test('every call refuses what is not a good JSON object, and one that is too big', async () => {
  const ofJson = withBody.filter(({ endpoint }) => endpoint.access !== 'postback-token')
  await expectRefused(ofJson, ({ endpoint }, index) => {
    const bad = BAD_BODIES.filter(({ what }) => !(optionalBody(endpoint) && ['constructor', ''].includes(what)))
    const tooBig = json('too big', `{"a":"${'x'.repeat(endpoint.bodyLimit - 7)}"}`)
    // One reader and one limit for all of them: the first meets everything.
    return [...inTurns(bad, index, index === 0 ? bad.length : 2), tooBig]
  })
})

test('a call takes a body of no type but its own, unless it reads it itself', async () => {
  const ofAdmin = ({ access, unparsed }: Endpoint) => !unparsed && (!Array.isArray(access) || access.includes('admin'))
  const cells = withBody.filter(({ endpoint }) => ofAdmin(endpoint))
  const wrong: unknown[] = []
  for (const [index, { endpoint, name }] of cells.entries()) {
    const rawBody = JSON.stringify(goodBodies[name]?.(ids))
    const types = inTurns(['text/plain', 'text/plain; charset=utf-8', 'application/xml'], index, 1)
    const attacks = types.map((type) => ({ what: type, rawBody, headers: { 'content-type': type } }))
    for await (const { what, answer } of attack(endpoint, attacks))
      if (answer.status !== 415 || answer.json().meta.code !== 'UNSUPPORTED_MEDIA_TYPE')
        wrong.push([name, what, answer.status, answer.text])
  }
  expect(wrong).toEqual([])
})

const optionalBody = ({ body }: Endpoint) => body.safeParse(undefined).success

test('no bad value in a field breaks a call', async () => {
  await expectRefused(
    withBody,
    ({ endpoint, name }, index) => {
      const good = () => goodBodies[name]?.(ids) ?? {}
      const spoilt = Object.keys(good()).map((field) =>
        BAD_VALUES.map((value) => json(`${field}: ${value.slice(0, 20)}`, spoil(good(), field, value))),
      )
      if (isWhole) return spoilt.flat()
      const taken = spoilt.map((some) => some.filter(({ rawBody }) => isBodyTaken(endpoint, rawBody ?? '')))
      const refused = spoilt.flat().filter(({ rawBody }) => !isBodyTaken(endpoint, rawBody ?? ''))
      return [...taken.flatMap((some, at) => inTurns(some, index + at, 1)), ...inTurns(refused, index, 1)]
    },
    false,
  )
})

test('no call takes a list or an object for a scalar', async () => {
  const attacksOf = ({ name }: Cell) => {
    const good = goodBodies[name]?.(ids) ?? {}
    const scalars = Object.keys(good).filter((field) => typeof good[field] !== 'object')
    return scalars.flatMap((field) =>
      ['[]', '[1]', '["a","b"]', '{}', '{"$ne":1}', '{"toString":1}'].map((value) =>
        json(`${field}: ${value}`, spoil(good, field, value)),
      ),
    )
  }
  const taken = withBody
    .filter(({ endpoint }) => endpoint.access !== 'postback-token')
    .flatMap((cell) => attacksOf(cell).filter(({ rawBody }) => isBodyTaken(cell.endpoint, rawBody ?? '')))
  expect(taken).toEqual([])
  await expectRefused(withBody, (cell, index) => inTurns(attacksOf(cell), index, 1))
})

const paths = [...Map.groupBy(allEndpoints, ({ endpoint }) => endpoint.path)]
const ALL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
test('every path names its methods when another is used', async () => {
  const wrong: unknown[] = []
  for (const [index, [path, served]] of paths.entries()) {
    const allowed = served.map(({ endpoint }) => endpoint.method as string)
    // A HEAD of a file would make the whole file in order to throw it away.
    if (served.some(({ endpoint }) => endpoint.method === 'GET' && !endpoint.file)) allowed.push('HEAD')
    const others = ALL_METHODS.filter((method) => !allowed.includes(method))
    for (const method of inTurns(others, index, 1)) {
      const answer = await server.anonymous.request(method, pathOf({ path }, { id: '1' }))
      const named = answer.headers.get('allow')?.split(', ').sort().join()
      const code = method === 'HEAD' ? undefined : answer.json().meta.code
      if (answer.status !== 405 || named !== allowed.sort().join() || (code && code !== 'METHOD_NOT_ALLOWED'))
        wrong.push([method, path, answer.status, named, code])
    }
  }
  expect(wrong).toEqual([])
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

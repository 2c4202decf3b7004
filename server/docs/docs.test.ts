import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientFiles, clientPath, guidePath, guides } from '#contract/clients.ts'
import { OccurrenceType, TEST_TYPE } from '#contract/deliveries.ts'
import { isNothing, pathOf } from '#contract/endpoint.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import { eventRefusals } from '#contract/event-refusals.ts'
import { macros } from '#contract/macros.ts'
import { IncomingEvent } from '#contract/tracking.ts'
import { draw } from '../deliveries/render.ts'
import { makeIssuer, makeProduct, startServer, type TestServer } from '../testing.ts'
import { openApiPath } from './document.ts'
import type { OpenApi } from './page.ts'

let server: TestServer
let document: OpenApi
beforeAll(async () => {
  server = await startServer()
  document = (await server.anonymous.get('/api/v1/openapi.json')).json()
})
afterAll(() => server.stop())

const CLICK = '/api/v1/leads/redirect/{relationship_id}/'

test('the document is valid OpenAPI 3.1', async () => {
  expect(document.openapi).toBe('3.1.0')
  expect(await new Validator().validate({ ...document })).toEqual({ valid: true })
})

test('the document lists the contract and the click, and nothing else', () => {
  const described = Object.entries(document.paths).flatMap(([path, calls]) =>
    Object.keys(calls).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const promised = allEndpoints.flatMap(({ endpoint: { method, path, alias } }) =>
    [path, ...(alias ? [alias.path] : [])].map((each) => `${method} ${openApiPath(each)}`),
  )
  expect(described.sort()).toEqual([...promised, `GET ${CLICK}`].sort())
})

test.each(allEndpoints)('$name says who may call, what goes in and what comes out', ({ name, endpoint }) => {
  const operation = document.paths[openApiPath(endpoint.path)]?.[endpoint.method.toLowerCase()]
  expect(operation).toMatchObject({ operationId: name, summary: endpoint.summary })
  expect(operation?.tags).toHaveLength(1)
  const scheme = { public: [], 'issuer-key': [{ apiKey: [] }], 'postback-token': [{ postbackToken: [] }] }
  const byToken = endpoint.byKey ? [{ bearer: [] }, { apiKey: [] }] : [{ bearer: [] }]
  expect(operation?.security).toEqual(typeof endpoint.access === 'string' ? scheme[endpoint.access] : byToken)
  const limits = endpoint.access === 'public' ? [] : ['RateLimit-Policy', 'RateLimit']
  expect(Object.keys(operation?.responses[endpoint.status]?.headers ?? {})).toEqual(limits)
  expect(Boolean(operation?.requestBody)).toBe(endpoint.upload !== null || !isNothing(endpoint.body))
  const answer = operation?.responses[endpoint.status]?.content
  const content = answer?.['application/json']
  expect(Boolean(content)).toBe(endpoint.status !== 204 && !endpoint.file)
  if (endpoint.file) expect(Object.keys(answer ?? {})).toEqual(endpoint.file)
  if (content) expect(content.schema.required).toEqual(['success', 'data', 'message', 'errors', 'meta'])
  const refusals = Object.entries(operation?.responses ?? {}).filter(([status]) => Number(status) >= 400)
  for (const [status, answer] of refusals) expect(answer.$ref).toBe(`#/components/responses/Error${status}`)
})

const renamed = allEndpoints.flatMap(({ name, endpoint }) =>
  endpoint.alias ? [{ ...endpoint, name, alias: endpoint.alias }] : [],
)

test('the specified address of the dashboards stays, the other older ones are deprecated', () => {
  const all = renamed.map(({ alias }) => [
    alias.path,
    document.paths[openApiPath(alias.path)]?.get?.deprecated ?? false,
  ])
  expect(all).toHaveLength(11)
  for (const [path, deprecated] of all)
    expect([path, deprecated]).toEqual([path, path !== '/api/v1/metrics/dashboards/'])
  expect(renamed.filter(({ path }) => document.paths[openApiPath(path)]?.get?.deprecated)).toEqual([])
})

test('an older address answers what the newer one does, to whom it does', async () => {
  const issuer = await makeIssuer(server.db)
  const { id } = await makeProduct(server.db, { issuer_id: issuer.id })
  const people = await Promise.all([server.as({ role: 'admin' }), server.as({ role: 'issuer', issuerId: issuer.id })])
  const params = { id, table: 'red-parejas' }
  for (const each of renamed)
    for (const person of [server.anonymous, ...people]) {
      const get = (call: typeof each | typeof each.alias) => person.get(pathOf(call, params))
      const [now, before] = [await get(each), await get(each.alias)]
      const bodyOf = ({ status, text }: typeof now) => [each.name, status, text.replace(/"request_id":"[^"]*"/, '')]
      expect(bodyOf(before)).toEqual(bodyOf(now))
    }
  const refused = await server.anonymous.post('/api/v1/metrics/overview', {})
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test.each([
  ['POST', '/api/v1/auth/login/', 401],
  ['POST', '/api/v1/token/refresh/', 401],
  ['GET', '/api/v1/events/postback/', 422],
  ['GET', '/api/v1/exports/leads/', 409],
  ['GET', '/api/v1/products/', 414],
  ['GET', '/api/v1/products/', 406],
  ['POST', '/api/v1/events/product-steps/reorder/', 404],
])('%s %s says that it may answer %i', (method, path, status) => {
  expect(Object.keys(document.paths[path]?.[method.toLowerCase()]?.responses ?? {})).toContain(String(status))
})

test('the sender of an event is told its fields, its two answers, its other header and its codes', async () => {
  const { post, get } = document.paths['/api/v1/events/lead-events/'] ?? {}
  const batch = document.paths['/api/v1/events/lead-events/batch/']?.post
  const bodyOf = (call: typeof post) => call?.requestBody?.content?.['application/json']?.schema
  const fields = Object.entries(bodyOf(post)?.properties ?? {})
  expect(fields.map(([name]) => name)).toEqual(Object.keys(IncomingEvent.shape))
  expect(fields.filter(([, { description }]) => !description)).toEqual([])
  expect(bodyOf(batch)?.properties?.events?.items).toEqual(bodyOf(post))
  const { 200: repeated, 201: stored } = post?.responses ?? {}
  expect(repeated?.content).toEqual(stored?.content)
  expect(repeated?.description).toContain('duplicate')
  expect(post?.parameters?.map(({ name }) => name)).toContain('Idempotency-Key')
  expect(get?.parameters?.map(({ name, description }) => [name, Boolean(description)])).toContainEqual(['since', true])
  const { text } = await server.anonymous.get('/api/docs')
  expect(Object.keys(eventRefusals).filter((code) => !text.includes(code))).toEqual([])
  for (const limit of ['64 KB', '1 MB', '16 KB', '20,000 valores', 'Respuesta 201']) expect(text).toContain(limit)
})

test('limits that stand behind the cleaning of a text are shown', () => {
  const body = document.paths['/api/v1/payments/']?.post?.requestBody?.content?.['application/json']?.schema.properties
  expect(body?.period_start).toMatchObject({ type: 'string', format: 'date' })
  expect(body?.notes?.anyOf?.[0]).toMatchObject({ type: 'string', maxLength: 500 })
})

test('a page, its size and an offset are whole numbers', () => {
  const parameters = document.paths['/api/v1/payments/']?.get?.parameters ?? []
  const schemas = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))
  expect([schemas.page, schemas.page_size, schemas.offset]).toEqual(
    [1, 1, 0].map((minimum) => ({ type: 'integer', minimum })),
  )
})

test('the click is described with its parameters', () => {
  const names = document.paths[CLICK]?.get?.parameters?.map((parameter) => parameter.name)
  expect(names).toEqual(expect.arrayContaining(['relationship_id', 'product_id', 'external_id', 'utm_source', 'sub1']))
})

test('the page shows every call to people, without a script and under a strict policy', async () => {
  const page = await server.anonymous.get('/api/docs', { headers: { accept: 'text/html' } })
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  expect(page.text).not.toMatch(/<script|style=|\son\w+=/)
  const shown = ({ name, endpoint }: (typeof allEndpoints)[number]) =>
    page.text.includes(`id="${name.toLowerCase().replace('.', '-')}"`) && page.text.includes(endpoint.summary)
  expect(allEndpoints.filter((call) => !shown(call)).map(({ name }) => name)).toEqual([])
  expect((await server.anonymous.get('/api/docs/')).text).toBe(page.text)
  const style = await server.anonymous.get('/api/docs/estilo.css')
  expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
})

test('the guides for programmers are pages beside it, which lead to each other and to the files', async () => {
  const reference = await server.anonymous.get('/api/docs')
  const files = Object.keys(clientFiles).map(clientPath)
  for (const path of Object.keys(guides).map(guidePath)) {
    expect(reference.text).toContain(`href="${path}"`)
    const page = await server.anonymous.get(path, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([
      200,
      reference.headers.get('content-security-policy'),
    ])
    expect(page.text).not.toMatch(/<script|style=|\son\w+=/)
    const links = [...page.text.matchAll(/href="(\/api[^"#]*)/g)].map(([, to = '']) => to)
    expect(links).toEqual(expect.arrayContaining([...files, '/api/docs/']))
    for (const to of new Set(links)) expect([to, (await server.anonymous.get(to)).status]).toEqual([to, 200])
    expect([...page.text.matchAll(/href="([^"]*)/g)].filter(([, to = '']) => !/^(\/|#|https:)/.test(to))).toEqual([])
  }
})

test('who receives postbacks and webhooks reads their headers, types and macros, and the body as it comes', async () => {
  const { text } = await server.anonymous.get(guidePath('postbacks-y-webhooks'))
  const words = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'webhook-url-signature', '410', TEST_TYPE]
  expect([...words, ...OccurrenceType.options].filter((word) => !text.includes(word))).toEqual([])
  const written = Object.keys(macros).filter((name) => !/^sub[2-9]$/.test(name))
  expect(written.filter((name) => !text.includes(`{${name}}`))).toEqual([])
  const [, sample = ''] = /<pre[^>]*><code>(\{.*?)<\/code>/s.exec(text) ?? []
  const { type, timestamp: at, data } = JSON.parse(sample.replaceAll('&quot;', '"'))
  const { seq, commission, ...facts } = data
  const { amount, status: entry_state } = commission
  const nothing = { issuer_id: 1, params: {}, reason: null, reason_group: null }
  const nothingPaid = { payment_id: null, payment_amount: null, payment_status: null }
  const wishes = { reader: 'issuer', url: 'https://banco.example.mx', method: 'POST', status_map: {} } as const
  const what = { ...facts, ...nothing, ...nothingPaid, type, at, amount, entry_state }
  expect(draw(what, wishes, { id: '', seq }).body).toBe(JSON.stringify({ type, timestamp: at, data }))
})

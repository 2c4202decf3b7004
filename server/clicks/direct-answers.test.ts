import { createServer } from 'node:http'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sendRaw } from '../raw.testing.ts'
import { makePair, startServer, TestClient, type TestServer } from '../testing.ts'
import { openDirectAnswers } from './direct-answers.ts'

let server: TestServer
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['performance'] }) // no click is late, however busy the machine is
  server = await startServer({ TRUST_PROXY: '1' })
})
afterAll(async () => {
  await server.stop()
  vi.useRealTimers()
})

const AGENT = 'Mozilla/5.0 (Linux; Android 14; SM-A546E) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36'

test('a plain click and one that only the framework can read are answered and stored alike', async () => {
  const { ids } = await makePair(server.db)
  const open = async (linkId: string, name: string) => {
    const link = `/api/v1/leads/redirect/${linkId}/?product_id=${ids.product_id}&external_id=${name}`
    const headers = { 'user-agent': AGENT, 'x-forwarded-for': '1.2.3.4, 203.0.113.77', referer: 'https://blog.mx/x' }
    const answer = await server.anonymous.get(link, { headers })
    const { date: _date, location = '', ...others } = Object.fromEntries(answer.headers)
    return { status: answer.status, location: location.replace(/[0-9a-f-]{36}/, 'ID'), others }
  }
  const plain = await open(String(ids.relationship_id), 'plain')
  expect(plain).toMatchObject({ status: 302, others: { 'cache-control': 'no-store, private', 'content-length': '0' } })
  expect(await open(String(ids.relationship_id).padStart(20, '0'), 'other')).toEqual(plain)
  const stored = await server.db
    .selectFrom('lead')
    .where('product_id', '=', ids.product_id)
    .select(['external_id', 'lead_data'])
    .orderBy('id')
    .execute()
  const lead_data = { params: {}, ip_trunc: '203.0.113.0/24', ua_family: 'Chrome Android', referer_host: 'blog.mx' }
  expect(stored).toEqual([
    { external_id: 'plain', lead_data },
    { external_id: 'other', lead_data },
  ])
})

test.each([
  ['two hosts', 'Host: x\r\nHost: y\r\n'],
  ['no host', ''],
])('a click with %s is refused and stores nothing', async (_what, hosts) => {
  const { ids } = await makePair(server.db)
  const ask = (lines: string) =>
    sendRaw(
      server.origin,
      `GET /api/v1/leads/redirect/${ids.relationship_id}/?product_id=${ids.product_id} HTTP/1.1\r\n${lines}User-Agent: ${AGENT}\r\nConnection: close\r\n\r\n`,
    )
  expect((await ask('Host: x\r\n')).status).toBe(302)
  expect((await ask(hosts)).status).toBe(400)
  const leads = server.db.selectFrom('lead').select('id').where('product_id', '=', ids.product_id)
  expect(await leads.execute()).toHaveLength(1)
})

test('an answer that HTTP does not allow is left to the framework, and nothing else suffers', async () => {
  const server = createServer()
  const app = Fastify({ serverFactory: () => server })
  const { failures, handOver } = openDirectAnswers(server, {
    pattern: /^\/to\/(.*)$/,
    refuse: () => undefined,
    answer: async (_request, [, to = '']) => ['location', decodeURIComponent(to)],
  })
  app.get('/to/:place', async (request) => {
    throw failures.get(request.raw)
  })
  await app.ready()
  handOver(app.routing)
  const client = new TestClient(await app.listen({ host: '127.0.0.1', port: 0 }))
  expect(await client.get('/to/a%0Ab')).toMatchObject({ status: 500 })
  expect((await client.get('/to/here')).headers.get('location')).toBe('here')
  await app.close()
})

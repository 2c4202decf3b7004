import { connect as connectSocket } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connect } from '#db/connect.ts'
import { makeAccount, signIn } from '../auth/testing.ts'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import { makeLead, makePair, startServer, type TestServer } from '../testing.ts'

let server: TestServer
let stopped: boolean
beforeEach(async () => {
  server = await startServer()
  stopped = false
})
afterEach(() => stopped || server.stop())

test('hanging queries do not stop sign-ins, authentication and clicks', async () => {
  const { relationship, product, affiliate, ids } = await makePair(server.db)
  await makeLead(server.db, ids)
  const account = await makeAccount(server)
  const admin = await server.as({ role: 'admin' })
  const stranger = await server.as({ role: 'affiliate', affiliateId: affiliate.id })
  const other = connect(server.databaseUrl, { max: 2 })
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const locking = other.transaction().execute(async (tx) => {
    await sql`lock table lead`.execute(tx)
    locked.resolve()
    await release.promise
  })
  await locked.promise
  const hanging = Array.from({ length: 30 }, () => admin.get('/api/v1/leads/'))
  await vi.waitFor(async () => {
    const waiting = await sql`select from pg_locks where not granted and relation = 'lead'::regclass`.execute(other)
    expect(waiting.rows).toHaveLength(10)
  }, 20_000)
  const link = `/api/v1/leads/redirect/${relationship.id}/?product_id=${product.id}`
  // Else they would wait for a connection until they are refused.
  const answers = await Promise.all([
    signIn(server, account.email),
    server.anonymous.request('HEAD', link),
    stranger.get('/api/v1/figures/overview/'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 204, 403])
  release.resolve()
  await locking
  await Promise.all(hanging)
  await other.destroy()
})

test('a request not answered in time is a 503, and its late answer does no harm', async () => {
  const quick = await startServer({}, { answerWithinMs: 2_000 })
  const owner = connect(quick.databaseUrl, { max: 1 })
  const admin = await quick.as({ role: 'admin' })
  const { lead, client } = await makeFunnel(quick)
  const event = { tracking_id: lead.tracking_id, event_type: 'aprobado', event_id: 'tarde' }
  await owner.transaction().execute(async (tx) => {
    await sql`lock table lead`.execute(tx)
    for (const answer of await Promise.all([admin.get('/api/v1/leads/'), client.post(EVENTS, event)])) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
      expect(answer.json()).toMatchObject({ success: false, meta: { code: 'UNAVAILABLE', retryable: true } })
    }
  })
  await expect.poll(async () => (await admin.get('/api/v1/leads/')).status).toBe(200)
  await expect.poll(async () => (await client.post(EVENTS, event)).json().data?.duplicate).toBe(true)
  await owner.destroy()
  await quick.stop()
})

/** A request whose body is still missing when the server begins to close. */
async function stopAmidRequest(after: (body: string) => string) {
  const { hostname, port } = new URL(server.origin)
  const socket = connectSocket(Number(port), hostname)
  const received = text(socket)
  const body = JSON.stringify({ refresh: 'x' })
  const head = ['POST /api/v1/token/refresh/ HTTP/1.1', 'host: x', 'content-type: application/json']
  socket.write([...head, `content-length: ${body.length}`, '', ''].join('\r\n'))
  await server.anonymous.get('/healthz')
  const stopping = server.stop()
  stopped = true
  socket.write(after(body))
  await stopping
  return await received
}

test('a request on a connection that is already open is answered while the server closes', async () => {
  const answers = await stopAmidRequest((body) => `${body}GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n`)
  expect(answers).toContain('401 Unauthorized')
  expect(answers).not.toContain('"statusCode":503')
})

test('a connection that falls silent while the server closes does not hold it up', async () => {
  const answers = await stopAmidRequest((body) => body)
  expect(answers).toContain('401 Unauthorized')
}, 60_000)

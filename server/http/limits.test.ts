import { expect, test } from 'vitest'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import { startServer } from '../testing.ts'
import { worthOf } from './limits.ts'

test('of many requests at once from one user a hundred are answered, the others get a Retry-After', async () => {
  const server = await startServer({ REQUESTS_PER_SECOND: '100' })
  try {
    const [eager, other] = [await server.as({ role: 'admin' }), await server.as({ role: 'admin' })]
    const began = performance.now()
    const answers = await Promise.all(Array.from({ length: 300 }, () => eager.get('/api/v1/events/event-types/')))
    const seconds = 1 + Math.floor((performance.now() - began) / 1000)
    const granted = answers.filter((answer) => answer.status === 200)
    const refused = answers.filter((answer) => answer.status === 429)
    expect(granted.length + refused.length).toBe(300)
    expect(granted.length).toBeGreaterThanOrEqual(100)
    expect(granted.length).toBeLessThanOrEqual(100 * (seconds + 1))
    expect(granted[0]?.headers.get('ratelimit-policy')).toBe('"user";q=100;w=1')
    for (const answer of granted) expect(answer.headers.get('ratelimit')).toMatch(/^"user";r=\d{1,2};t=1$/)
    for (const answer of refused) {
      expect(answer.headers.get('ratelimit-policy')).toBe('"user";q=100;w=1')
      expect(answer.headers.get('ratelimit')).toMatch(/^"user";r=0;t=[01]$/)
      expect(answer.json().message).toBe('Demasiadas solicitudes. Espera un momento e inténtalo de nuevo.')
      expect(answer.json().meta).toMatchObject({ code: 'RATE_LIMITED', retryable: true })
      expect(answer.headers.get('retry-after')).toBe('1')
    }
    expect((await other.get('/api/v1/events/event-types/')).status).toBe(200)
  } finally {
    await server.stop()
  }
})

test('the systems of an issuer are slowed down together, and those of another are not', async () => {
  const server = await startServer({ REQUESTS_PER_SECOND: '20' })
  try {
    const [eager, other] = [await makeFunnel(server), await makeFunnel(server)]
    const began = performance.now()
    const answers = await Promise.all(Array.from({ length: 200 }, () => eager.client.get(EVENTS)))
    const seconds = 1 + Math.floor((performance.now() - began) / 1000)
    const refused = answers.filter((answer) => answer.status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(200 - 20 * (seconds + 1))
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(20)
    for (const answer of refused) {
      expect(answer.json().meta).toMatchObject({ code: 'RATE_LIMITED', retryable: true })
      expect(answer.headers.get('retry-after')).toBe('1')
    }
    expect((await other.client.get(`${EVENTS}?tracking_id=${other.lead.tracking_id}`)).status).toBe(200)
  } finally {
    await server.stop()
  }
})

test('many events or bytes at once are worth as many requests of an issuer as they cost', async () => {
  expect([worthOf(200, 1), worthOf(16 * 1024, 1), worthOf(200, 11), worthOf(150_000, 500)]).toEqual([0, 1, 1, 49])
  const server = await startServer({ REQUESTS_PER_SECOND: '100' })
  try {
    const [eager, other] = [await makeFunnel(server), await makeFunnel(server)]
    const text = 'a'.repeat(15_000)
    const events = Array.from({ length: 60 }, (_, event_id) => ({ event_id: `${event_id}`, event_data: { text } }))
    const send = () => eager.client.post(`${EVENTS}batch/`, { events })
    const began = performance.now()
    const answers = await Promise.all(Array.from({ length: 12 }, send))
    const seconds = 1 + Math.floor((performance.now() - began) / 1000)
    const granted = answers.filter(({ status }) => status === 200).length
    expect(granted).toBeGreaterThanOrEqual(1)
    expect(granted).toBeLessThanOrEqual(seconds + 1)
    for (const { status, headers } of answers) if (status === 429) expect(headers.get('retry-after')).toBe('1')
    expect((await other.client.get(EVENTS)).status).toBe(200)
  } finally {
    await server.stop()
  }
})

test('an answer says of each limit that counted it what is left; where none did it says nothing', async () => {
  const server = await startServer()
  try {
    const { client, relationship, product, issuer, token, lead } = await makeFunnel(server)
    expect((await client.get(EVENTS)).headers.get('ratelimit')).toMatch(/^"events";r=\d+;t=1$/)
    const wrong = await client.post(EVENTS, {})
    expect([wrong.status, wrong.headers.get('ratelimit-policy')]).toEqual([422, '"events";q=100000;w=1'])
    const sent = `/api/v1/events/postback/?token=${token}&tracking_id=${lead.tracking_id}&event=aprobado`
    expect((await server.anonymous.get(sent)).headers.get('ratelimit')).toBe('"postbacks";r=199;t=4')
    const person = await server.as({ role: 'issuer', issuerId: issuer.id })
    const none = await person.post('/api/v1/receivers/999999/test/')
    expect([none.status, none.headers.get('ratelimit-policy')]).toEqual([404, '"user";q=100000;w=1, "tests";q=10;w=60'])
    expect(none.headers.get('ratelimit')).toMatch(/^"user";r=99999;t=1, "tests";r=9;t=60$/)
    const file = await person.get('/api/v1/exports/products/')
    expect([file.status, file.headers.get('ratelimit')]).toEqual([200, expect.stringMatching(/^"user";r=/)])
    const click = `/api/v1/leads/redirect/${relationship.id}/?product_id=${product.id}`
    for (const path of [click, '/healthz', '/api/v1/openapi.json', '/api/v1/leads/'])
      expect([...(await server.anonymous.get(path)).headers.keys()].filter((name) => /ratelimit/.test(name))).toEqual(
        [],
      )
  } finally {
    await server.stop()
  }
})

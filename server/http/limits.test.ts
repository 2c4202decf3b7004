import { expect, test } from 'vitest'
import { EVENTS, makeFunnel } from '../events/testing.ts'
import { startServer } from '../testing.ts'

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
    for (const answer of refused) {
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

import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { translate } from './errors.ts'

test('a sender that leaves amid its body is not taken for a lost database', async () => {
  const app = Fastify()
  const failed = Promise.withResolvers<unknown>()
  app.setErrorHandler((error, _request, reply) => {
    failed.resolve(error)
    return reply.send()
  })
  app.post('/', async () => undefined)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  try {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{', () =>
      setTimeout(() => socket.destroy(), 50),
    )
    expect(translate(await failed.promise)).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  } finally {
    await app.close()
  }
})

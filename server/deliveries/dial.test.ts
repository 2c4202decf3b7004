import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { answering, startReceiver, type TestReceiver } from './deliveries.testing.ts'
import { Dialer } from './dial.ts'

const trial = { ownHost: 'afluente.example.mx', loopback: true }
const real = { ownHost: 'afluente.example.mx', loopback: false }
const call = (url: string) => ({ url, method: 'POST' as const, headers: { 'webhook-id': 'a' }, body: '{}' })

let receiver: TestReceiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

test('an answer is its status and its beginning, as text that a table can hold', async () => {
  receiver.behave = (_, response) => void response.end(`hola\u0000${'x'.repeat(10_000_000)}`)
  const { status, answer, peer, error } = await new Dialer(trial).dial(call(receiver.url))
  expect([status, answer?.length, answer?.slice(0, 5), peer, error]).toEqual([200, 1024, 'holax', '127.0.0.1', null])
})

test('a redirect is an answer like others: nobody goes where it leads', async () => {
  const inner = await startReceiver()
  receiver.behave = answering(301, { location: inner.url })
  expect(await new Dialer(trial).dial(call(receiver.url))).toMatchObject({ status: 301 })
  expect(inner.got).toEqual([])
  await inner.close()
})

test.for([
  ['120', 120],
  ['999999', 86_400],
  ['mañana', null],
  [new Date(Date.now() - 60_000).toUTCString(), null],
] as const)('Retry-After: %s is %s seconds', async ([header, seconds]) => {
  receiver.behave = (_, response) => {
    response.setHeader('retry-after', Buffer.from(header).toString('latin1'))
    response.writeHead(503).end()
  }
  expect((await new Dialer(trial).dial(call(receiver.url))).retryAfter).toBe(seconds)
})

test('who cuts the connection, is not there, or speaks no TLS has not answered', async () => {
  receiver.behave = (_, response) => void response.destroy()
  expect((await new Dialer(trial).dial(call(receiver.url))).error).toBe('broken')
  const gone = await startReceiver()
  await gone.close()
  expect((await new Dialer(trial).dial(call(gone.url))).error).toBe('connect')
  receiver.behave = answering(200)
  expect((await new Dialer(trial).dial(call(receiver.url.replace('http', 'https')))).error).toBe('tls')
})

test('a name of which one address is inner is not called, nor is one whose answer changes', async () => {
  const answers = [['1.1.1.1', '127.0.0.1'], ['::ffff:10.0.0.1'], ['169.254.169.254'], ['64:ff9b::7f00:1']]
  for (const found of answers) {
    const dialer = new Dialer(real, async () => found)
    expect((await dialer.dial(call('https://red.example.mx/p'))).error).toBe('address')
  }
  expect((await new Dialer(real, async () => []).dial(call('https://red.example.mx/p'))).error).toBe('dns')
  let asked = 0
  const changing = new Dialer(real, async () => (asked++ === 0 ? ['127.0.0.1'] : ['1.1.1.1']))
  expect((await changing.dial(call('https://red.example.mx/p'))).error).toBe('address')
  expect(asked).toBe(1)
})

/** Speaks as no HTTP server would. */
async function startRaw(text: string) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.write(text))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test.for([
  ['changes to another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
  ['says without end that it will answer', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)],
] as const)('one that %s has not answered, which is known at once', async ([, text]) => {
  const outcome = await new Dialer(trial).dial(call(await startRaw(text)))
  // Else it would be given up after a while: 'timeout'.
  expect(outcome).toMatchObject({ status: null, error: 'broken' })
})

test('what is said before an answer is not the answer', async () => {
  const url = await startRaw('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
  expect(await new Dialer(trial).dial(call(url))).toMatchObject({ status: 200, answer: 'ok', error: null })
})

test('one that takes the connection and never speaks is given up', async () => {
  const silent = createServer(() => undefined)
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const { port } = silent.address() as AddressInfo
  const outcome = await new Dialer(trial).dial(call(`http://127.0.0.1:${port}/`))
  expect(outcome).toMatchObject({ error: 'timeout', status: null })
  silent.close()
})

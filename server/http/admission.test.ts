import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Admission } from './admission.ts'
import { newHttpServer } from './server.ts'

const WORK_MS = 5

/** Each visitor costs some milliseconds of the event loop. */
async function serve() {
  const server = newHttpServer()
  const limits = { patienceMs: 100, warmMs: 0, least: 20 }
  const admission = new Admission(server, limits)
  server.on('request', (_request, response) => {
    if (!admission.takeClick()) return response.writeHead(503, { 'content-length': '0' }).end()
    for (const end = performance.now() + WORK_MS; performance.now() < end; );
    return response.writeHead(302, { 'content-length': '0' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  admission.begin()
  const { port } = server.address() as { port: number }
  const close = () => {
    admission.end()
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return { port, close }
}

const visit = (port: number): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'))
    socket.on('error', () => undefined) // 'close' follows
    socket.on('close', () => resolve('closed'))
    socket.on('data', (data) => {
      resolve(data.toString('latin1', 9, 12))
      socket.destroy()
    })
  })

test('beyond what it can answer, visitors are refused at once, and afterwards everybody is served again', async () => {
  const { port, close } = await serve()
  const answers = new Set<string>()
  // The same event loop serves and asks: a fifth of a visit each millisecond would be all that it can.
  while (!answers.has('302') || answers.size === 1)
    for (const answer of await Promise.all(Array.from({ length: 200 }, () => visit(port)))) answers.add(answer)
  expect(['302', '503', 'closed']).toEqual(expect.arrayContaining([...answers]))
  // One after the other, with rests.
  for (let served = 0; served < 10; await wait(20)) served = (await visit(port)) === '302' ? served + 1 : 0
  await close()
})

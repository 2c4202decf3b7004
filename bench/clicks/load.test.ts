import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Connection, loadOpen } from './load.ts'

const REQUEST = 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'
const servers = [20, 1_000].map((keepAliveTimeout) =>
  createServer({ keepAliveTimeout, keepAliveTimeoutBuffer: 0 }, (_, response) => response.end('.')),
)
const ports: number[] = []
beforeAll(async () => {
  for (const server of servers) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    ports.push((server.address() as AddressInfo).port)
  }
})
afterAll(() => {
  for (const server of servers) server.close()
})

test('a connection that the server closed while it was idle is not asked again', async () => {
  const { answers, failed } = await loadOpen({ port: ports[0] ?? 0, seconds: 1, next: () => REQUEST }, 5)
  expect({ answers, failed }).toEqual({ answers: 5, failed: 0 })
})

test('a connection is not asked again after the time for which its server keeps it, read or not', async () => {
  const connection = new Connection(ports[1] ?? 0)
  await connection.ask(REQUEST)
  expect(connection.usable).toBe(true)
  // Held up: nothing is read meanwhile.
  for (const end = performance.now() + 1_000; performance.now() < end; );
  expect(connection).toMatchObject({ broken: false, usable: false })
  connection.end()
})

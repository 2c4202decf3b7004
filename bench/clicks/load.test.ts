import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { loadOpen } from './load.ts'

test('a connection that the server closed while it was idle is not asked again', async () => {
  const server = createServer({ keepAliveTimeout: 20, keepAliveTimeoutBuffer: 0 }, (_, response) => response.end('.'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as AddressInfo
    const next = () => 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'
    const { answers, failed } = await loadOpen({ port, seconds: 1, next }, 5)
    expect({ answers, failed }).toEqual({ answers: 5, failed: 0 })
  } finally {
    server.close()
  }
})

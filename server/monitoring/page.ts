import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Registry } from 'prom-client'

/** On an address of its own, so that no balancer publishes what is for the operator. */
export async function serveMetrics(registry: Registry, at: { host: string; port: number }) {
  const server = createServer({ requestTimeout: 15_000 }, async (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    try {
      const text = await registry.metrics()
      response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text)
    } catch (error) {
      response.writeHead(500, { 'content-type': 'text/plain' }).end('')
      process.emitWarning(`metrics: ${(error as Error).message}`)
    }
  })
  await once(server.listen(at), 'listening')
  return {
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

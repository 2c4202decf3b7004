import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { answerBrokenRequest, refuseExpectation } from './broken-requests.ts'

const connections = new WeakMap<Server, Set<Socket>>()

/** Node's server with our limits: for clicks at once, for the framework once that is loaded. */
export function newHttpServer(): Server {
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    keepAliveTimeout: 72_000,
    // Node's default is 30 s.
    connectionsCheckingInterval: 5_000,
    maxHeaderSize: 16 * 1024,
    requireHostHeader: false,
    // Node would drop all but the first, and whoever stands before us may go by the last (RFC 9112, 3.2).
    joinDuplicateHeaders: true,
  })
  // Longer than our longest silence, the search of an export. A client that reads nothing for this long is gone.
  server.setTimeout(150_000)
  server.on('clientError', answerBrokenRequest)
  server.on('checkExpectation', refuseExpectation)
  const open = new Set<Socket>()
  connections.set(server, open)
  server.on('connection', (socket) => {
    // Node caches it once read; a closed connection no longer has it, and its request may still run.
    void socket.remoteAddress
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return server
}

/** Several are joined by commas, which no host has. */
export const isOneHost = (host: string): boolean => !host.includes(',')

/** Less than the whole stop may take, so that slow clients do not prevent an orderly stop. */
const PATIENCE_MS = 8_000

/** Returns when every request under way is answered, or has had long enough. */
export function closeServer(server: Server, patienceMs = PATIENCE_MS): Promise<void> {
  // Node ends connections idle when closing begins; those answered later would stay for their keep-alive.
  const again = setInterval(() => {
    server.closeIdleConnections()
    // After reading what has arrived meanwhile.
    setImmediate(() => endUnused(server))
  }, 100).unref()
  const enough = setTimeout(() => server.closeAllConnections(), patienceMs).unref()
  const { promise, resolve } = Promise.withResolvers<void>()
  // Its only error: the server was not listening.
  server.close(() => {
    clearInterval(again)
    clearTimeout(enough)
    resolve()
  })
  return promise
}

/** Browsers open connections ahead of need; Node would wait for the first request of each. */
function endUnused(server: Server): void {
  for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy()
}

import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { answerBrokenRequest, refuseExpectation } from './broken-requests.ts'

const connections = new WeakMap<Server, Set<Socket>>()

/** Node's server with the limits of ours, for clicks at once and for the framework as soon as that is loaded. */
export function newHttpServer(): Server {
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    keepAliveTimeout: 72_000,
    // Node looks every half minute of its own accord.
    connectionsCheckingInterval: 5_000,
    maxHeaderSize: 16 * 1024,
    requireHostHeader: false,
  })
  // Longer than our longest silence, the search of an export: who takes nothing of an answer for so long has gone.
  server.setTimeout(150_000)
  server.on('clientError', answerBrokenRequest)
  server.on('checkExpectation', refuseExpectation)
  const open = new Set<Socket>()
  connections.set(server, open)
  server.on('connection', (socket) => {
    // Kept by Node once it was read. A connection that has closed tells it no more, and its request may not be done yet.
    void socket.remoteAddress
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return server
}

/** Less than the whole stop may take, so that those who are slow do not keep the rest from ending in order. */
const PATIENCE_MS = 8_000

/** Returns when every request under way is answered, or has had long enough. */
export function closeServer(server: Server, patienceMs = PATIENCE_MS): Promise<void> {
  // Node ends those that are silent when closing begins; one that was answered later would stay for its keep-alive.
  const again = setInterval(() => {
    server.closeIdleConnections()
    // After what has arrived meanwhile was read.
    setImmediate(() => endUnused(server))
  }, 100).unref()
  const enough = setTimeout(() => server.closeAllConnections(), patienceMs).unref()
  const { promise, resolve } = Promise.withResolvers<void>()
  // An error says that it did not listen.
  server.close(() => {
    clearInterval(again)
    clearTimeout(enough)
    resolve()
  })
  return promise
}

/** Browsers open connections for what they may ask later. Node waits for the first request of each. */
function endUnused(server: Server): void {
  for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy()
}

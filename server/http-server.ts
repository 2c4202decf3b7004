import { createServer, type Server } from 'node:http'
import { answerBrokenRequest, refuseExpectation } from './broken-requests.ts'

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
  // Kept by Node once it was read. A connection that has closed tells it no more, and its request may not be done yet.
  server.on('connection', (socket) => void socket.remoteAddress)
  return server
}

/** Returns when every request under way is answered. */
export function closeServer(server: Server): Promise<void> {
  // Node ends those that are silent when closing begins; one that was answered later would stay for its keep-alive.
  const again = setInterval(() => server.closeIdleConnections(), 100).unref()
  const { promise, resolve } = Promise.withResolvers<void>()
  // An error says that it did not listen.
  server.close(() => {
    clearInterval(again)
    resolve()
  })
  return promise
}

import type { IncomingMessage, RequestListener, Server } from 'node:http'

type Response = Parameters<RequestListener>[1]

interface Lane {
  /** Addresses of the requests that may take it. */
  pattern: RegExp
  /** The headers of a 302, one after the other, name and value in turn. */
  answer: (request: IncomingMessage, address: RegExpExecArray) => Promise<string[]>
}

export interface FastLane {
  /** What went wrong on the way, by its request. */
  failures: WeakMap<IncomingMessage, unknown>
  /** From now on the framework answers what does not take the lane, first of all what has waited for it. */
  handOver: (framework: RequestListener) => void
}

/**
 * The framework's part is an eighth of a click, so plain ones do without. What is out of the ordinary or goes wrong on the
 * way is answered by the framework, and waits for it while it is not there yet.
 */
export function openFastLane(server: Server, { pattern, answer }: Lane): FastLane {
  const failures = new WeakMap<IncomingMessage, unknown>()
  const waiting: Parameters<RequestListener>[] = []
  let leave: RequestListener = (request, response) => void waiting.push([request, response])
  const take = async (request: IncomingMessage, response: Response, address: RegExpExecArray) => {
    try {
      const headers = await answer(request, address)
      // Once it does not listen any more each answer closes its connection, as the framework's do.
      if (!server.listening) headers.push('connection', 'close')
      response.writeHead(302, headers).end()
    } catch (error) {
      failures.set(request, error)
      leave(request, response)
    }
  }
  server.on('request', (request, response) => {
    const isPlain = request.method === 'GET' && request.headers.host
    const address = isPlain && pattern.exec(request.url ?? '')
    if (!address) return leave(request, response)
    void take(request, response, address)
  })
  const handOver = (framework: RequestListener) => {
    leave = framework
    for (const [request, response] of waiting.splice(0)) if (!request.socket.destroyed) leave(request, response)
  }
  return { failures, handOver }
}

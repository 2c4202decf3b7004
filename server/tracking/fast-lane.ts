import type { IncomingMessage, RequestListener } from 'node:http'
import type { FastifyInstance } from 'fastify'

type Response = Parameters<RequestListener>[1]

interface Lane {
  /** Addresses of the requests that may take it. */
  pattern: RegExp
  /** The headers of a 302, one after the other, name and value in turn. */
  answer: (request: IncomingMessage, address: RegExpExecArray) => Promise<string[]>
}

/**
 * The framework's part is an eighth of a click, so plain ones do without. What is out of the ordinary or goes wrong on the
 * way is answered by the framework as ever, and what went wrong stands in what is given back, by its request.
 */
export function addFastLane(app: FastifyInstance, { pattern, answer }: Lane): WeakMap<IncomingMessage, unknown> {
  const failures = new WeakMap<IncomingMessage, unknown>()
  const ordinary = app.server.listeners('request') as RequestListener[]
  const leave: RequestListener = (request, response) => {
    for (const listener of ordinary) listener(request, response)
  }
  const take = async (request: IncomingMessage, response: Response, address: RegExpExecArray) => {
    try {
      response.writeHead(302, await answer(request, address)).end()
    } catch (error) {
      failures.set(request, error)
      leave(request, response)
    }
  }
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true // From now on each answer closes its connection, which the framework sees to.
  })
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => {
    const isPlain = request.method === 'GET' && request.headers.host && !isClosing
    const address = isPlain && pattern.exec(request.url ?? '')
    if (!address) return leave(request, response)
    void take(request, response, address)
  })
  return failures
}

import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { isOneHost } from '../http/server.ts'

export type Response = Parameters<RequestListener>[1]

interface Options {
  /** Paths of the requests that may be answered directly. */
  pattern: RegExp
  /** False when the server has more to do than it can; all are answered when left out. */
  admit?: () => boolean
  /** Answers one that is not admitted. */
  refuse: (response: Response) => void
  /** The headers of a 302: name, value, name, value… */
  answer: (request: IncomingMessage, address: RegExpExecArray) => Promise<string[]>
}

export interface DirectAnswers {
  /** Errors of direct answers, by request. */
  failures: WeakMap<IncomingMessage, unknown>
  /** From now on the framework answers all other requests, first those that have waited for it. */
  handOver: (framework: RequestListener) => void
}

/**
 * The framework takes an eighth of the time of a click, so plain clicks do without it. It answers all other requests and
 * those that fail here; they wait until it is loaded.
 */
export function openDirectAnswers(server: Server, { pattern, admit, refuse, answer }: Options): DirectAnswers {
  const failures = new WeakMap<IncomingMessage, unknown>()
  const waiting: Parameters<RequestListener>[] = []
  let pass: RequestListener = (request, response) => void waiting.push([request, response])
  const answerDirectly = async (request: IncomingMessage, response: Response, address: RegExpExecArray) => {
    try {
      const headers = await answer(request, address)
      // While closing, each answer closes its connection, as the framework's do.
      if (!server.listening) headers.push('connection', 'close')
      response.writeHead(302, headers).end()
    } catch (error) {
      failures.set(request, error)
      pass(request, response)
    }
  }
  server.on('request', (request, response) => {
    const { host } = request.headers
    const isPlain = request.method === 'GET' && host && isOneHost(host)
    const address = isPlain && pattern.exec(request.url ?? '')
    if (!address) return pass(request, response)
    if (admit?.() === false) return refuse(response)
    void answerDirectly(request, response, address)
  })
  const handOver = (framework: RequestListener) => {
    pass = framework
    for (const [request, response] of waiting.splice(0)) if (!request.socket.destroyed) pass(request, response)
  }
  return { failures, handOver }
}

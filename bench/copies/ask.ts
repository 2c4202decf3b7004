import { type Agent, request } from 'node:http'
import { AGENT } from '../clicks/world.ts'

export interface Question {
  method?: string
  body?: unknown
  /** Access token. */
  token?: string
  headers?: Record<string, string>
  /** The visitor's address, one of 127.0.0.0/8. */
  from?: string
  /** For a keep-alive connection. */
  agent?: Agent
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: whatever the API says
  data: any
  /** When it was complete, by performance.now(). */
  at: number
}

/** Redirected like a person, without a lead. */
export const PREVIEW = 'WhatsApp/2.24.6.77 A'

const parsed = (text: string) => {
  try {
    return JSON.parse(text)?.data
  } catch {
    return undefined // a page
  }
}

/** One request, on a connection of its own unless an agent is given. */
export function ask(port: number, path: string, question: Question = {}): Promise<Answer> {
  const { body, token, from = '127.0.0.1', agent = false, headers = {} } = question
  const text = body === undefined ? undefined : JSON.stringify(body)
  const all = {
    'x-forwarded-for': from,
    'user-agent': AGENT,
    ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    ...(token && { authorization: `Bearer ${token}` }),
    ...headers,
  }
  const method = question.method ?? (text === undefined ? 'GET' : 'POST')
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const options = { host: '127.0.0.1', port, path, method, headers: all, localAddress: from, agent, timeout: 30_000 }
  const sent = request(options, (answer) => {
    let received = ''
    answer.setEncoding('utf8').on('error', reject)
    answer.on('data', (piece) => {
      received += piece
    })
    answer.on('end', () => {
      const { statusCode: status = 0, headers } = answer
      resolve({ status, headers, data: parsed(received), at: performance.now() })
    })
  })
  sent.on('error', reject).on('timeout', () => sent.destroy(new Error(`No answer to ${method} ${path} in 30 s`)))
  sent.end(text)
  return promise
}

export async function expectStatus(status: number, answering: Promise<Answer>): Promise<Answer> {
  const answer = await answering
  if (answer.status !== status)
    throw new Error(`Answered ${answer.status} instead of ${status}: ${JSON.stringify(answer.data)}`)
  return answer
}

const PATIENCE_MS = 10_000

/** Milliseconds from `since` to the first such answer; repeats the request without a pause. */
export async function untilAnswer(
  since: number,
  asking: () => Promise<Answer>,
  isIt: (answer: Answer) => boolean,
): Promise<number> {
  for (;;) {
    const answer = await asking()
    if (isIt(answer)) return answer.at - since
    if (answer.at - since > PATIENCE_MS) throw new Error(`Still answered ${answer.status} after ${PATIENCE_MS} ms`)
  }
}

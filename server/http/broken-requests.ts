import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError, apiHeaders, errorBody, unavailable } from './errors.ts'
import { isSlowBodyExpected } from './slow-bodies.ts'

interface ParserError extends Error {
  code?: string
}

const reasons: Record<string, [status: number, text: string, error: AppError]> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    new AppError(431, 'HEADERS_TOO_LARGE', 'Los encabezados son demasiado grandes'),
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    'Request Timeout',
    new AppError(408, 'REQUEST_TIMEOUT', 'La solicitud tardó demasiado'),
  ],
}
const malformed: (typeof reasons)[string] = [
  400,
  'Bad Request',
  new AppError(400, 'BAD_REQUEST', 'La solicitud no es HTTP válido'),
]

/** What Node's parser refuses never becomes a request, so the answer is written to the socket. */
export function answerBrokenRequest(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  // Node asks once for each request; its call has a deadline of its own.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isSlowBodyExpected(socket)) return
  if (!socket.writable) {
    socket.destroy(error)
    return
  }
  const [status, text, reason] = reasons[error.code ?? ''] ?? malformed
  const body = JSON.stringify(errorBody(reason, crypto.randomUUID()))
  const head = [
    `HTTP/1.1 ${status} ${text}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(apiHeaders).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Node never passes on a request with an Expect header other than 100-continue. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  refuse(response, new AppError(417, 'EXPECTATION_FAILED', 'El encabezado Expect solo admite 100-continue'))
}

/** Answers requests that the server could not answer before it stops. */
export function refuseLeaving(_request: IncomingMessage, response: ServerResponse): void {
  refuse(response, unavailable())
}

/** Answers as the framework would. */
function refuse(response: ServerResponse, refusal: AppError): void {
  const body = JSON.stringify(errorBody(refusal, crypto.randomUUID()))
  if (refusal.retryAfter !== undefined) response.setHeader('retry-after', refusal.retryAfter)
  response
    .writeHead(refusal.status, {
      ...apiHeaders,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    })
    .end(body)
}

import { connect } from 'node:net'
import { z } from 'zod'
import type { TestAnswer } from './testing.ts'

/** Sends raw bytes, which fetch would correct; returns when the server closed the connection. */
export function sendRaw(origin: string, request: string | Buffer): Promise<TestAnswer> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request))
    const pieces: Buffer[] = []
    socket.on('data', (piece: Buffer) => pieces.push(piece))
    // A server that answers before the body has arrived closes with unread bytes.
    socket.on('error', (error) => pieces.length || reject(error))
    socket.on('close', () => resolve(answerOf(Buffer.concat(pieces))))
  })
}

/** The first answer only; the same bytes may contain a second request. */
function answerOf(received: Buffer): TestAnswer {
  const end = received.indexOf('\r\n\r\n')
  const lines = received.toString('latin1', 0, Math.max(0, end)).split('\r\n')
  const headers = new Headers(lines.slice(1).map((line) => line.split(': ') as [string, string]))
  const body = received.subarray(end + 4)
  const text = body.subarray(0, Number(headers.get('content-length') ?? body.length)).toString()
  return { status: Number(lines[0]?.split(' ')[1]), headers, text, json: () => JSON.parse(text) }
}

/** What is wrong with an answer to bad input: a refusal must be an envelope that says why and reveals nothing. */
export function complaint(answer: TestAnswer, mustRefuse: boolean): string | undefined {
  if (!(answer.status < 500)) return `${answer.status} ${answer.text}`
  if (answer.status < 400) return mustRefuse ? `taken with ${answer.status}: ${answer.text}` : undefined
  if (saysTooMuch(answer.text)) return `says too much: ${answer.text}`
  return isRefusal(answer.text) ? undefined : `no envelope: ${answer.text}`
}

/** Words of a stack or of a statement. */
export const saysTooMuch = (text: string): boolean => /node_modules|\.ts\b|\bat \S+:\d+|select |insert /i.test(text)

function isRefusal(text: string): boolean {
  try {
    return Refusal.safeParse(JSON.parse(text)).success
  } catch {
    return false
  }
}

const Refusal = z.strictObject({
  success: z.literal(false),
  data: z.null(),
  message: z.string().min(1),
  errors: z.array(z.string().min(1)).min(1),
  meta: z.strictObject({
    request_id: z.string().min(1),
    code: z.string().regex(/^[A-Z_]+$/),
    retryable: z.boolean(),
    field_errors: z.record(z.string(), z.array(z.string())).optional(),
  }),
})

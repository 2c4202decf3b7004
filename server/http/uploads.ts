import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts'
import { hooksOf } from './access.ts'
import { AppError, badRequest, packedMedia, unsupportedMedia } from './errors.ts'
import { type App, type Call, documentation, envelope, readCall } from './http.ts'
import { lingerWhenClosed } from './lingering.ts'
import { endSlowBody, expectSlowBody } from './slow-bodies.ts'

/** What is sent, and whether who sends it is still there for the answer. */
export interface Sent {
  file: Readable
  gone: AbortSignal
}

type Handler<E extends Endpoint> = (call: Call<E>, sent: Sent) => Promise<ResponseOf<E>>

/** A file as a whole may take so long; a sender that is silent for longer than any is cut off before. */
const WHOLE_MS = 1_800_000
/** What is still arriving when a file is refused is read on for so long, so that the sender reads why. */
const DRAIN_MS = 5_000

/**
 * `serve()` for calls whose body is a file, read while it arrives: the same checks of access and input before the first
 * byte of it, and no deadline but its own. The handler bounds what it takes.
 */
export function serveUpload<E extends Endpoint>(app: App, endpoint: E, handler: Handler<E>): void {
  app.served.push(endpoint)
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // Of any type: receive() says which are taken.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined))
    scope.route({
      method: endpoint.method,
      url: endpoint.path,
      schema: documentation(endpoint),
      ...hooksOf(app, endpoint),
      handler: (request, reply) => receive(app, endpoint, handler, request, reply),
    })
  })
}

async function receive<E extends Endpoint>(
  app: App,
  endpoint: E,
  handler: Handler<E>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { raw, mediaType } = request
  expectSlowBody(raw.socket)
  const leaving = new AbortController()
  const leave = () => leaving.abort(badRequest('Quien envió el archivo se fue'))
  raw.socket.once('close', leave)
  if (raw.socket.destroyed) leave()
  const late = setTimeout(
    () => raw.destroy(new AppError(408, 'REQUEST_TIMEOUT', 'El archivo tardó demasiado')),
    WHOLE_MS,
  )
  try {
    if (!mediaType || !endpoint.upload?.includes(mediaType)) throw unsupportedMedia()
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') throw packedMedia()
    const sent = { file: raw, gone: leaving.signal }
    const answer = envelope(app, endpoint, await handler(readCall(endpoint, request), sent), request.id)
    return reply.code(answer.status).send(answer.body)
  } catch (error) {
    await drain(raw)
    if (!raw.complete) lingerWhenClosed(reply.header('connection', 'close').raw.socket ?? raw.socket)
    throw error
  } finally {
    clearTimeout(late)
    raw.socket.off('close', leave)
    endSlowBody(raw.socket)
  }
}

async function drain(body: FastifyRequest['raw']): Promise<void> {
  if (body.complete || body.destroyed) return
  // A listener, since resume() alone does nothing while whoever refused the file has not let go of it yet.
  body.on('data', () => undefined).resume()
  const ended = Promise.withResolvers<void>()
  body.once('close', ended.resolve).once('end', ended.resolve)
  await Promise.race([ended.promise, wait(DRAIN_MS, undefined, { ref: false })])
}

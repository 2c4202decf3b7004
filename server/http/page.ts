import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A page made here, or 304 when the client has it. The ETag is weak: any compression of it is the same page. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: string,
  headers: Record<string, string>,
): FastifyReply {
  const etag = `W/"${hash('sha256', page).slice(0, 32)}"`
  reply.headers({ ...headers, etag }).type('text/html; charset=utf-8')
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(page)
}

import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A page that is made here, or 304 for whoever has it. Weak, for it is the same page however it is compressed. */
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

import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AppError, errorBody, translate } from '../http/errors.ts'
import { PRIVACY_PATH } from '../legal/page.ts'

const style = readFileSync(new URL('./error-pages.css', import.meta.url), 'utf8')

/** For visitors who followed somebody's recommendation and know nothing of us. */
const texts: Record<number, [title: string, text: string]> = {
  400: [
    'El enlace está incompleto',
    'A la dirección le falta una parte. Vuelve a la página o al mensaje donde la encontraste y ábrela otra vez desde ahí.',
  ],
  404: [
    'Este enlace no existe',
    'La dirección puede estar incompleta o mal escrita. Vuelve a la página o al mensaje donde la encontraste y ábrela otra vez desde ahí.',
  ],
  405: ['Este enlace solo puede abrirse', 'La solicitud usó un método que el enlace no admite.'],
  410: [
    'Este enlace ya no está activo',
    'La promoción terminó o fue retirada. Si el producto te interesa, búscalo en el sitio de la institución que lo ofrece.',
  ],
  503: [
    'Inténtalo de nuevo en unos segundos',
    'El servicio está ocupado. No tienes que hacer nada: la página se cargará otra vez por sí sola.',
  ],
}
const UNEXPECTED: [string, string] = ['Ocurrió un error inesperado', 'Ya quedó registrado. Inténtalo más tarde.']

const MARK =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M6.5 8.5c6 0 7.5 7.5 14 7.5M6.5 16h19M6.5 23.5c6 0 7.5-7.5 14-7.5"/></svg>'

/** Whole in one answer: it is also what a server sends that has no time for more. */
const pageOf = (status: number): string => {
  const [title, text] = texts[status] ?? UNEXPECTED
  const again = status === 503 ? '<meta http-equiv="refresh" content="5">' : ''
  return `<!doctype html>
<html lang="es-MX"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">${again}
<title>${title} | Afluente</title><style>${style}</style></head>
<body><header><a class="brand" href="/">${MARK}Afluente</a></header>
<main><div class="card"><h1>${title}</h1><p>${text}</p></div></main>
<footer><p>Los enlaces de Afluente llevan de una recomendación al sitio de la institución que ofrece el producto.</p><a href="${PRIVACY_PATH}">Aviso de privacidad</a></footer></body></html>
`
}

const pages = new Map([...Object.keys(texts).map(Number), 500].map((status) => [status, pageOf(status)]))

const common = {
  'cache-control': 'no-store, private',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  vary: 'Accept',
}
const styleHash = hash('sha256', style, 'base64')
const htmlHeaders = {
  ...common,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
}
const jsonHeaders = {
  ...common,
  'content-type': 'application/json; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
}

const wantsJson = (accept = ''): boolean => accept.includes('application/json') && !accept.includes('text/html')

const BUSY_PAGE = Buffer.from(pageOf(503))
const busyHeaders = [
  ...Object.entries({ ...htmlHeaders, 'retry-after': '5', 'content-length': `${BUSY_PAGE.length}` }).flat(),
  ...['connection', 'close'],
]

/** For a click that there is no time to read. */
export const refuseBusy = (response: ServerResponse): void => {
  response.writeHead(503, busyHeaders).end(BUSY_PAGE)
}

/** Failed clicks come from people's browsers: they get a page, or JSON when they ask for it. */
export function answerClickError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure: AppError = translate(error)
  // Deliberate refusals are counted; their cause was reported where it arose.
  if (failure.status >= 500 && failure !== error) request.log.error({ err: error }, 'click failed')
  return sendFailure(failure, request, reply)
}

export function sendFailure(failure: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.code(failure.status)
  if (failure.retryAfter !== undefined) reply.header('retry-after', failure.retryAfter)
  if (request.method === 'HEAD') return reply.headers(common).send()
  if (wantsJson(request.headers.accept)) return reply.headers(jsonHeaders).send(errorBody(failure, request.id))
  return reply.headers(htmlHeaders).send(pages.get(failure.status) ?? pages.get(500))
}

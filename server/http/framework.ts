import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { ADDRESS_LIMIT } from '#contract/endpoint.ts'
import { CLICK_PATH } from '#contract/tracking.ts'
import { sendFailure } from '../clicks/error-pages.ts'
import { straightenLink } from '../clicks/written-links.ts'
import type { Config } from '../config.ts'
import type { Readiness } from '../readiness.ts'
import { isProxy } from './addresses.ts'
import { AppError, answerError, apiHeaders, badRequest, errorBody, unavailable } from './errors.ts'
import type { App } from './http.ts'
import { logRefusals } from './refusals.ts'
import { closeServer, isOneHost } from './server.ts'
import { tlsHeaders } from './tls.ts'

/** Secrets; and of an error of PostgreSQL what quotes rows and statements (security 2.11). */
const UNLOGGED = ['*.password', '*.authorization', '*.detail', '*.where', '*.internalQuery', '*.cause.detail']

/** What every server of ours has before its routes: limits, error answers, what the log may contain. */
export function newFastify(config: Config, server: Server): FastifyInstance {
  const app = Fastify({
    logger:
      config.logLevel === 'silent'
        ? false
        : { level: config.logLevel, serializers: { req: describeRequest }, redact: UNLOGGED },
    logController: new LogController({ disableRequestLogging: true }),
    // Without a proxy, headers are not searched for addresses.
    trustProxy: config.trustProxy > 0 && isProxy(config),
    bodyLimit: 64 * 1024,
    serverFactory: () => server,
    rewriteUrl: ({ url = '/' }) => straightenLink(url),
    // newHttpServer() answers those.
    clientErrorHandler: () => undefined,
    // Requests on connections still open are answered; each answer closes its connection.
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    frameworkErrors: answerError,
    routerOptions: { ignoreTrailingSlash: true, querystringParser: () => ({}), maxParamLength: 100 },
  })
  // http.ts does both: it parses requests by the contract's schemas, and answers are typed by them.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  // The framework's own: no call of ours takes it.
  app.removeContentTypeParser('text/plain')
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) =>
    answerError(new AppError(404, 'NOT_FOUND', 'La dirección no existe'), request, reply),
  )
  const always = tlsHeaders(config)
  // Not async, or each click would wait for a promise.
  app.addHook('onRequest', (request, reply, next) => {
    reply.headers(always)
    next(hostError(request))
  })
  logRefusals(app)
  // The framework closes a server made by others only when it also called its listen().
  app.addHook('preClose', () => closeServer(server))
  return app
}

function hostError({ headers: { host }, raw }: FastifyRequest): Error | undefined {
  if (host && !isOneHost(host)) return badRequest('El encabezado Host viene más de una vez')
  // Node would refuse it without a body; HTTP/1.0, which balancers still check health with, has none.
  return !host && raw.httpVersion === '1.1' ? badRequest('Falta el encabezado Host') : undefined
}

/** CORS and compression. */
export async function registerTransport(app: App, config: Config): Promise<void> {
  // Its hook runs on every request, clicks included.
  if (config.corsOrigins.length)
    await app.register(cors, {
      origin: config.corsOrigins,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      exposedHeaders: ['Retry-After', 'Content-Disposition', 'RateLimit', 'RateLimit-Policy'],
      credentials: false,
      maxAge: 600,
      strictPreflight: false,
    })
  // Compressing a page of a list (40 kB) at once blocks for 0.3 ms; through a stream it takes 1 ms more.
  await app.register(compress, { threshold: 2048, syncThreshold: 65_536, encodings: ['br', 'gzip'] })
}

/** Not async, or each click would wait for a promise. */
export const guardApi =
  (readiness: Readiness) => (request: FastifyRequest, reply: FastifyReply, next: (error?: Error) => void) => {
    // A click is never refused for a long query or an absent database, and its answers are pages.
    if (request.url.startsWith(CLICK_PATH)) return next()
    if (!readiness.isReady && !HEALTH.includes(request.routeOptions.url ?? ''))
      return void refuseUnready(request, reply)
    if (request.url.length > ADDRESS_LIMIT)
      return next(new AppError(414, 'URI_TOO_LONG', 'La dirección es demasiado larga'))
    // By the route: `/%61pi/` leads to the same.
    if (request.routeOptions.url?.startsWith('/api/')) reply.headers(apiHeaders)
    next()
  }

const HEALTH = ['/healthz', '/readyz']

/** Programs get our envelope, browsers a page. */
function refuseUnready(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = unavailable()
  if (isPage(request)) return sendFailure(refusal, request, reply)
  return reply
    .code(refusal.status)
    .header('retry-after', refusal.retryAfter)
    .headers(apiHeaders)
    .send(errorBody(refusal, request.id))
}

const isPage = ({ url, routeOptions, headers }: FastifyRequest): boolean =>
  !url.startsWith('/api/') && !routeOptions.url?.startsWith('/api/') && /\btext\/html\b/.test(headers.accept ?? '')

/** Without the query string, which carries ids of other systems and campaign data (security 2.11). */
const describeRequest = (request: { id: string; method: string; url: string }) => ({
  id: request.id,
  method: request.method,
  path: request.url.split('?')[0],
})

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'] as const

/** A known path with another method is a 405 that says which ones it has. */
export function refuseOtherMethods(app: App): void {
  const byPath = Map.groupBy(app.served, (endpoint) => endpoint.path)
  for (const [url, served] of byPath) {
    const allowed = served.map((endpoint) => endpoint.method as string)
    if (served.some(({ method, file }) => method === 'GET' && !file)) allowed.push('HEAD')
    app.route({
      method: methods.filter((method) => !allowed.includes(method)),
      url,
      handler: (request, reply) => {
        reply.header('allow', allowed.join(', '))
        return answerError(new AppError(405, 'METHOD_NOT_ALLOWED', 'Método no permitido'), request, reply)
      },
    })
  }
}

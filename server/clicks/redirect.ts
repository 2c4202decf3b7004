import type { FastifyInstance, FastifyRequest } from 'fastify'
import { CLICK_PATH } from '#contract/tracking.ts'
import { AppError, translate } from '../http/errors.ts'
import { queryOf } from '../http/input.ts'
import type { ClickOutcome } from '../monitoring/measures.ts'
import { type Clicks, redirectHeaders } from './clicks.ts'
import { answerClickError } from './error-pages.ts'
import { findLiveTarget, follow, isPrefetch, noteLost } from './follow.ts'
import { readClickParams } from './params.ts'

type Click = FastifyRequest<{ Params: { relationship_id: string } }>

const visitOf = (request: Click) => {
  const { ip, headers, params } = request
  return { ip, headers, linkId: params.relationship_id, query: queryOf(request) }
}

const url = `${CLICK_PATH}:relationship_id/`

/**
 * Clicks that are not answered directly. Registered before compression, which adds its hooks to all later routes.
 */
export async function redirectRoutes(app: FastifyInstance, { parts, direct }: Clicks): Promise<void> {
  // A logger per request would cost a fortieth of a click; a failed request gets one below.
  app.setChildLoggerFactory((logger) => logger)
  app.setErrorHandler((error, request, reply) => {
    request.log = request.log.child({ reqId: request.id })
    const outcome = outcomeOf(error, request)
    parts.measures.clicks(outcome, 1)
    if (request.method === 'GET' && (outcome === 'invalid' || outcome === 'unknown'))
      noteLost(parts, visitOf(request as Click))
    return answerClickError(error, request, reply)
  })
  app.get(url, { exposeHeadRoute: false }, async (request: Click, reply) => {
    const failure = direct.failures.get(request.raw)
    if (failure) throw failure
    const location = await follow(parts, visitOf(request))
    return reply.code(302).headers(redirectHeaders).header('location', location).send()
  })
  app.head(url, async (request: Click, reply) => {
    await findLiveTarget(parts, request.params.relationship_id, readClickParams(queryOf(request)))
    return reply.code(204).headers(redirectHeaders).send()
  })
  refuseOthers(app)
}

function refuseOthers(app: FastifyInstance): void {
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'],
    url,
    // Before the body is read, whatever its type.
    onRequest: async (_request, reply) => {
      reply.header('allow', 'GET, HEAD')
      throw new AppError(405, 'METHOD_NOT_ALLOWED', 'Método no permitido')
    },
    handler: async () => undefined,
  })
}

const FAILURES: Record<number, ClickOutcome> = {
  400: 'invalid',
  404: 'unknown',
  405: 'invalid',
  410: 'inactive',
  503: 'refused',
}

const outcomeOf = (error: unknown, request: FastifyRequest): ClickOutcome =>
  isPrefetch(request) ? 'prefetch' : (FAILURES[translate(error).status] ?? 'failed')

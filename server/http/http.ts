import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ELEVATION_REQUIRED } from '#contract/auth.ts'
import { fulfils, type Need, NOT_OF_DUTY, READS_ONLY } from '#contract/duties.ts'
import {
  type BodyOf,
  type Endpoint,
  isNothing,
  Meta,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
} from '#contract/endpoint.ts'
import type { Role } from '#contract/roles.ts'
import { SECOND_FACTOR_REQUIRED } from '#contract/security-policy.ts'
import { VIEW_ONLY } from '#contract/view-as.ts'
import type { Viewer } from '../viewer.ts'
import { AppError, forbidden, notFound, schemaError, unauthenticated, unavailable } from './errors.ts'
import { expectSameId, parse, parseQuery, queryOf, sane } from './input.ts'

export type App = FastifyInstance

declare module 'fastify' {
  interface FastifyInstance {
    /** Who the bearer token of a request belongs to. */
    findViewer: (request: FastifyRequest) => Promise<Viewer | undefined>
    /** Called with the viewer of every authenticated request; throws 429 past the limit (D67). */
    limitViewer: (viewer: Viewer) => Promise<void>
    /** Runs an administrator's POST at most once per Idempotency-Key (D27). */
    once: (viewer: Viewer, request: FastifyRequest, run: () => Promise<Reply>) => Promise<Reply>
    /** Answers are checked against the contract; for tests, since it costs time. */
    checkAnswers: boolean
    /** A request not answered by then gets a 503, whatever is still running. */
    answerWithinMs: number
    served: Endpoint[]
  }
  interface FastifyRequest {
    viewer: Viewer | null
  }
}

type Parts = Pick<App, 'checkAnswers' | 'findViewer' | 'limitViewer' | 'once' | 'answerWithinMs'>

/** Before anything is served. */
export function decorate(app: App, parts: Parts): void {
  app.decorate('served', [])
  app.decorate('checkAnswers', parts.checkAnswers)
  app.decorate('findViewer', parts.findViewer)
  app.decorate('limitViewer', parts.limitViewer)
  app.decorate('once', parts.once)
  app.decorate('answerWithinMs', parts.answerWithinMs)
  app.decorateRequest('viewer', null)
  app.decorateRequest('bearer', null)
}

/** The viewer of an endpoint: only the roles it names, null where it is public. */
type ViewerOf<E extends Endpoint> = E['access'] extends readonly (infer R)[]
  ? Extract<Viewer, { role: R & Role }>
  : Viewer | null

export interface Call<E extends Endpoint> {
  viewer: ViewerOf<E>
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  /** The updated_at that the caller last saw, from If-Match (D17). */
  ifMatch: string | undefined
  request: FastifyRequest
}

/** A body ready to be sent, with its status. */
export interface Reply {
  status: number
  body: Record<string, unknown> | undefined
  headers?: Record<string, string>
  /** What is stored for a repetition, where the body holds a secret. */
  kept?: Record<string, unknown>
}

/** What a handler returns when there is more than data. */
export class Answer<T> {
  readonly data: T
  readonly options: {
    status?: number
    meta?: Partial<Meta>
    headers?: Record<string, string>
    /** Also put beside `data` at the top level of the body. */
    top?: Record<string, unknown>
    /** The data as a repetition of the request gets them, where they hold a secret. */
    kept?: unknown
  }

  constructor(data: T, options: Answer<T>['options']) {
    this.data = data
    this.options = options
  }
}

type Handler<E extends Endpoint> = (call: Call<E>) => Promise<ResponseOf<E> | Answer<ResponseOf<E>>>

/**
 * Serves an endpoint of the contract: checks access, parses the input, runs the handler, wraps the answer. The order
 * matters: a caller without access learns nothing about the shape of a valid request.
 */
export function serve<E extends Endpoint>(app: App, endpoint: E, handler: Handler<E>): void {
  app.served.push(endpoint)
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    bodyLimit: endpoint.bodyLimit,
    schema: documentation(endpoint),
    onRequest: (request) => admit(app, endpoint, request),
    handler: async (request, reply) => {
      const call = readCall(endpoint, request)
      const run = async () => envelope(app, endpoint, await handler(call), request.id)
      // Never for public endpoints: the answer to a sign-in holds tokens, which must not be stored.
      const repeatable =
        Array.isArray(endpoint.access) &&
        request.viewer?.role === 'admin' &&
        endpoint.method === 'POST' &&
        request.headers['idempotency-key'] !== undefined
      const answering = repeatable && request.viewer ? app.once(request.viewer, request, run) : run()
      // Counted from its arrival: finding the viewer may have been slow, too.
      const answer = await within(app.answerWithinMs - reply.elapsedTime, answering)
      return reply
        .code(answer.status)
        .headers(answer.headers ?? {})
        .send(answer.body)
    },
  })
}

/** Fastify's own `handlerTimeout` stops when the request's body was read, so it does not cover most writes. */
function within<T>(milliseconds: number, answering: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(unavailable()), milliseconds)
  return Promise.race([answering, late.promise]).finally(() => clearTimeout(timer))
}

/** For the API document alone (`docs/docs.ts`); requests are read by `readCall`. */
export const documentation = (endpoint: Endpoint): Record<string, unknown> => ({
  summary: endpoint.summary,
  ...(!isNothing(endpoint.params) && { params: endpoint.params }),
  ...(!isNothing(endpoint.query) && { querystring: endpoint.query }),
  ...(!isNothing(endpoint.body) && { body: endpoint.body }),
  response: { [endpoint.status]: endpoint.status === 204 ? z.null() : envelopeOf(endpoint.response) },
})

const envelopeOf = (data: Endpoint['response']) =>
  z.object({
    success: z.literal(true),
    data: isNothing(data) ? z.null() : data,
    message: z.string().nullable(),
    errors: z.null(),
    meta: Meta,
  })

export async function admit(app: App, endpoint: Endpoint, request: FastifyRequest): Promise<void> {
  request.viewer = null
  if (!endpoint.file && !acceptsJson(request.headers.accept))
    throw new AppError(406, 'NOT_ACCEPTABLE', 'La respuesta es application/json')
  const viewer = await app.findViewer(request)
  request.viewer = viewer ?? null
  if (!Array.isArray(endpoint.access)) return
  if (!viewer) throw unauthenticated()
  await app.limitViewer(viewer)
  if (viewer.impersonator && (endpoint.method !== 'GET' || endpoint.elevated))
    throw new AppError(403, 'VIEW_ONLY', VIEW_ONLY)
  if (!endpoint.access.includes(viewer.role)) throw forbidden()
  if (viewer.lacksFactor && !endpoint.unenrolled)
    throw new AppError(403, 'SECOND_FACTOR_REQUIRED', SECOND_FACTOR_REQUIRED)
  if (viewer.readOnly && endpoint.method !== 'GET' && !endpoint.path.startsWith('/api/v1/auth/'))
    throw forbidden('La empresa está inactiva: solo es posible consultar')
  expectDuty(viewer, endpoint.need, endpoint.method === 'GET')
  if (endpoint.elevated) expectElevated(viewer)
}

export function expectDuty({ duty }: Viewer, need: Need, reads = false): void {
  if (!fulfils(duty, need)) throw forbidden(duty === 'reader' && !reads ? READS_ONLY : NOT_OF_DUTY)
}

/** For what part of a call alone needs it, and so no endpoint says. */
export function expectElevated(viewer: Viewer): void {
  if (!viewer.elevated) throw new AppError(403, 'ELEVATION_REQUIRED', ELEVATION_REQUIRED)
}

const acceptsJson = (accept: string | undefined): boolean =>
  accept === undefined || accept === '' || /(application|\*)\/(\*|json|problem\+json)|^\*$/i.test(accept)

export function readCall<E extends Endpoint>(endpoint: E, request: FastifyRequest): Call<E> {
  const ifMatch = request.headers['if-match']
  const params = parse(endpoint.params, request.params, () => notFound('Recurso')) as ParamsOf<E>
  const body = parse(endpoint.body, sane(request.body ?? undefined), (error) => schemaError(error, 422)) as BodyOf<E>
  expectSameId(params, body)
  return {
    viewer: request.viewer as ViewerOf<E>,
    params,
    query: parse(endpoint.query, parseQuery(queryOf(request)), (error) => schemaError(error, 400)) as QueryOf<E>,
    body,
    ifMatch: ifMatch && ifMatch !== '*' ? ifMatch.replace(/^W\/|"/g, '') : undefined,
    request,
  }
}

export function envelope<E extends Endpoint>(app: App, endpoint: E, result: unknown, requestId: string): Reply {
  const { data, options } =
    result instanceof Answer ? result : { data: result, options: {} as Answer<unknown>['options'] }
  if (app.checkAnswers) checkAnswer(endpoint, data)
  const status = options.status ?? endpoint.status
  const headers = options.headers ?? {}
  if (status === 204) return { status, body: undefined, headers }
  const meta = { request_id: requestId, ...options.meta }
  const body = { success: true, data: data ?? null, message: endpoint.message, errors: null, meta, ...options.top }
  const { kept } = options
  return { status, body, headers, ...(kept !== undefined && { kept: { ...body, data: kept } }) }
}

/** A field that the contract does not know must not leave the server, even by accident. */
function checkAnswer(endpoint: Endpoint, data: unknown): void {
  if (isNothing(endpoint.response)) return
  const known = JSON.stringify(sorted(endpoint.response.parse(data)))
  const sent = JSON.stringify(sorted(data))
  if (known !== sent)
    throw new Error(`${endpoint.method} ${endpoint.path} answered outside its contract: ${sent} is not ${known}`)
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, sorted(child)]),
  )
}

/** Throws 412 when another user saved the row after the caller read it (D17). */
export function expectUnchanged(ifMatch: string | undefined, updatedAt: string): void {
  if (ifMatch !== undefined && ifMatch !== updatedAt)
    throw new AppError(412, 'PRECONDITION_FAILED', 'Otra persona guardó cambios antes. Recarga e inténtalo de nuevo.')
}

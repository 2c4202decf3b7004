import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
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
import type { KeyReader, Reader, Viewer } from '../viewer.ts'
import { hooksOf } from './access.ts'
import { AppError, notFound, schemaError, unavailable } from './errors.ts'
import { keyHolders } from './idempotency.ts'
import { expectSameId, parse, parseQuery, queryOf, sane } from './input.ts'
import type { Limit } from './limits.ts'

export type App = FastifyInstance

declare module 'fastify' {
  interface FastifyInstance {
    /** Who the bearer token of a request belongs to. */
    findViewer: (request: FastifyRequest) => Promise<Viewer | undefined>
    /** Whose key this is; throws 401 where it is nobody's, 403 where it opens nothing. */
    findKeyReader: (request: FastifyRequest, key: string) => Promise<KeyReader>
    /** Called with the viewer of every authenticated request; throws 429 past the limit (D67). */
    limitViewer: Limit<Viewer>
    /** The same for who reads with a key. */
    limitKeyReader: Limit<Reader>
    /** Runs a POST at most once per Idempotency-Key (D27). */
    once: (viewer: Viewer, request: FastifyRequest, run: () => Promise<Reply>) => Promise<Reply>
    /** Answers are checked against the contract; for tests, since it costs time. */
    checkAnswers: boolean
    /** A request not answered by then gets a 503, whatever is still running. */
    answerWithinMs: number
    served: Endpoint[]
  }
  interface FastifyRequest {
    viewer: Viewer | null
    /** Who reads with a key, where nobody is signed in. */
    keyReader: KeyReader | null
  }
}

type Parts = Pick<
  App,
  'checkAnswers' | 'findViewer' | 'findKeyReader' | 'limitViewer' | 'limitKeyReader' | 'once' | 'answerWithinMs'
>

/** Before anything is served. */
export function decorate(app: App, parts: Parts): void {
  app.decorate('served', [])
  app.decorate('checkAnswers', parts.checkAnswers)
  app.decorate('findViewer', parts.findViewer)
  app.decorate('findKeyReader', parts.findKeyReader)
  app.decorate('limitViewer', parts.limitViewer)
  app.decorate('limitKeyReader', parts.limitKeyReader)
  app.decorate('once', parts.once)
  app.decorate('answerWithinMs', parts.answerWithinMs)
  app.decorateRequest('viewer', null)
  app.decorateRequest('keyReader', null)
  app.decorateRequest('limits', null)
  app.decorateRequest('bearer', null)
}

/** The viewer of an endpoint: only the roles it names, perhaps with a key; null where it is public. */
type ViewerOf<E extends Endpoint> = E['access'] extends readonly (infer R)[]
  ? Extract<E['byKey'] extends null ? Viewer : Reader, { role: R & Role }>
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
  const holders = keyHolders(endpoint)
  app.served.push(endpoint)
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    bodyLimit: endpoint.bodyLimit,
    schema: documentation(endpoint),
    ...hooksOf(app, endpoint),
    handler: async (request, reply) => {
      const call = readCall(endpoint, request)
      const run = async () => envelope(app, endpoint, await handler(call), request.id)
      const { viewer, headers } = request
      const isKeyed = viewer && headers['idempotency-key'] !== undefined && holders.includes(viewer.role)
      const answering = isKeyed ? app.once(viewer, request, run) : run()
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

export function readCall<E extends Endpoint>(endpoint: E, request: FastifyRequest): Call<E> {
  const ifMatch = request.headers['if-match']
  const params = parse(endpoint.params, request.params, () => notFound('Recurso')) as ParamsOf<E>
  const { query, body } = endpoint.unparsed ? { query: undefined, body: undefined } : readInput(endpoint, request)
  expectSameId(params, body)
  return {
    viewer: (request.viewer ?? request.keyReader) as ViewerOf<E>,
    params,
    query: query as QueryOf<E>,
    body: body as BodyOf<E>,
    ifMatch: ifMatch && ifMatch !== '*' ? ifMatch.replace(/^W\/|"/g, '') : undefined,
    request,
  }
}

const readInput = ({ query, body }: Endpoint, request: FastifyRequest) => ({
  body: parse(body, sane(request.body ?? undefined), (error) => schemaError(error, 422)),
  query: parse(query, parseQuery(queryOf(request)), (error) => schemaError(error, 400)),
})

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
    throw new AppError(
      412,
      'PRECONDITION_FAILED',
      'Estos datos cambiaron después de que los abriste. Ábrelos de nuevo e inténtalo otra vez.',
    )
}

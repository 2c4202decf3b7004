import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { postbackPath } from '#contract/tracking.ts'
import { isConnectError } from '#db/pool.ts'
import { lingerWhenClosed } from './lingering.ts'

export interface ErrorOptions {
  errors?: string[]
  fieldErrors?: Record<string, string[]>
  /** The figures of which the message speaks, for programs. */
  sums?: Record<string, string>
  /** What may be sent instead, for programs. */
  choices?: string[]
  /** Seconds. */
  retryAfter?: number
}

/** What a handler throws; only `answerError` turns it into an answer. */
export class AppError extends Error {
  readonly status: number
  readonly code: string
  readonly errors: string[]
  readonly fieldErrors: Record<string, string[]> | undefined
  readonly sums: Record<string, string> | undefined
  readonly choices: string[] | undefined
  readonly retryAfter: number | undefined

  constructor(status: number, code: string, message: string, options: ErrorOptions = {}) {
    super(message)
    this.name = 'AppError'
    this.status = status
    this.code = code
    this.errors = options.errors ?? [message]
    this.fieldErrors = options.fieldErrors
    this.sums = options.sums
    this.choices = options.choices
    this.retryAfter = options.retryAfter
  }
}

export const notFound = (what: string, found = 'encontrado') => new AppError(404, 'NOT_FOUND', `${what} no ${found}`)
export const forbidden = (message = 'No tienes permisos para realizar esta acción') =>
  new AppError(403, 'FORBIDDEN', message)
export const unauthenticated = (message = 'Inicia sesión para continuar') =>
  new AppError(401, 'UNAUTHENTICATED', message)
export const invalidKey = () => new AppError(401, 'INVALID_API_KEY', 'La clave de API no es válida')
export const badRequest = (message: string, code = 'BAD_REQUEST') => new AppError(400, code, message)
export const conflict = (message: string, code = 'CONFLICT') => new AppError(409, code, message)
export const unavailable = (message = 'El servicio no está disponible. Inténtalo de nuevo en unos segundos.') =>
  new AppError(503, 'UNAVAILABLE', message, { retryAfter: 5 })

export const unsupportedMedia = () =>
  new AppError(415, 'UNSUPPORTED_MEDIA_TYPE', 'El cuerpo debe ser un archivo: text/csv o de Excel')

export const packedMedia = () =>
  new AppError(415, 'UNSUPPORTED_MEDIA_TYPE', 'El archivo se envía sin comprimir, sin el encabezado Content-Encoding')

/** A rule about one field that only the server can know. */
export const invalid = (field: string, message: string, code = 'VALIDATION_ERROR') =>
  new AppError(422, code, message, { fieldErrors: { [field]: [message] } })

/** Field errors of a schema: 422 for a body, 400 for a query (api.md 1). */
export function schemaError(error: z.ZodError, status: 400 | 422): AppError {
  // A Map: a field may have the name of an object's own member, such as constructor.
  const texts = new Map<string, Set<string>>()
  for (const issue of error.issues) {
    const field = issue.path.join('.') || 'body'
    texts.set(field, (texts.get(field) ?? new Set()).add(issue.message))
  }
  const fieldErrors = Object.fromEntries([...texts].map(([field, some]) => [field, [...some]]))
  const errors = [...new Set(Object.values(fieldErrors).flat())]
  return new AppError(status, status === 422 ? 'VALIDATION_ERROR' : 'BAD_REQUEST', errors.join(', '), {
    errors,
    fieldErrors,
  })
}

/** Whether PostgreSQL refused because of this constraint or unique index. */
export const violates = (error: unknown, constraint: string): boolean =>
  isDatabaseError(error) && error.constraint === constraint

interface DatabaseError {
  code: string
  constraint?: string
}

const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)

/** Two transactions waited for each other and PostgreSQL ended this one. */
export const isDeadlock = (error: unknown): boolean => isDatabaseError(error) && error.code === '40P01'

/**
 * Not stored and worth trying again: cancelled statements, lost connections, serialization, resources, shutdown, and what
 * an operator changes under a running server: passwords, roles, grants, names of databases, disks.
 */
const RETRYABLE = /^(57014|55P03|40001|40P01|08...|28...|3D000|42501|53...|57P0.|58...|25006)$/
const CONNECTION_LOST =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Cannot use a pool after calling end/

/** True when the database is away or overloaded, so that the same request may work later. */
export const isDatabaseAway = (error: unknown): boolean =>
  isConnectError(error) ||
  (isDatabaseError(error) && RETRYABLE.test(error.code)) ||
  (error instanceof Error &&
    (CONNECTION_LOST.test(error.message) || CONNECTION_LOST.test(String((error as { code?: unknown }).code))))

/** The connection ended, which says nothing about the database: another one may answer at once. */
export const isConnectionEnded = (error: unknown): boolean =>
  isDatabaseError(error) ? error.code === '57P01' : /Connection terminated|ECONNRESET|EPIPE/.test(String(error))

/** PostgreSQL cannot take these values, now or ever: SQLSTATE class 22, or a missing one. */
export const refusesValues = (error: unknown): boolean =>
  isDatabaseError(error) && !isDatabaseAway(error) && /^(22...|23502)$/.test(error.code)

/** All ids are ours, so that a sequence was set back; each attempt takes it further. */
const isIdTaken = (error: DatabaseError): boolean => error.code === '23505' && /_pkey$/.test(error.constraint ?? '')

/** The sender left before its body was complete; Node's error looks like a lost connection. */
const isAborted = (error: unknown): boolean =>
  error instanceof Error && error.message === 'aborted' && (error as FastifyError).statusCode === 400

const frameworkAnswers: Record<string, [status: number, code: string, message: string]> = {
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'MALFORMED_JSON', 'El cuerpo no es JSON válido'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'MALFORMED_JSON', 'El cuerpo está vacío'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'UNSUPPORTED_MEDIA_TYPE', 'El tipo de contenido debe ser application/json'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'PAYLOAD_TOO_LARGE', 'El cuerpo es demasiado grande'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'BAD_REQUEST', 'La longitud del cuerpo no coincide'],
  FST_ERR_BAD_URL: [400, 'BAD_REQUEST', 'La dirección no es válida'],
  FST_ERR_MAX_PARAM_LENGTH: [414, 'URI_TOO_LONG', 'La dirección es demasiado larga'],
}

/**
 * Everything thrown becomes an AppError; what we do not know is a 500 without details. Numbers and dates that PostgreSQL
 * does not take are the sender's in what is written; what is only read was stored, and its sum is ours.
 */
export function translate(error: unknown, isRead = false): AppError {
  if (error instanceof AppError) return error
  if (isAborted(error)) return badRequest('La solicitud llegó incompleta')
  if (isDatabaseAway(error)) return unavailable()
  if (isDatabaseError(error)) {
    if (isIdTaken(error)) return unavailable()
    if (error.code === '22021' || error.code === '22P05') return badRequest('El texto contiene caracteres no válidos')
    if (isRead) return internal()
    if (error.code === '22007' || error.code === '22008')
      return new AppError(422, 'VALIDATION_ERROR', 'La fecha está fuera de rango')
    if (error.code === '22003') return new AppError(422, 'VALIDATION_ERROR', 'El número está fuera de rango')
  }
  const known = frameworkAnswers[(error as FastifyError).code]
  if (known) return new AppError(...known)
  const status = (error as FastifyError).statusCode
  if (status && status >= 400 && status < 500) return new AppError(status, 'BAD_REQUEST', 'La solicitud no es válida')
  return internal()
}

const internal = () => new AppError(500, 'INTERNAL', 'Ocurrió un error inesperado')

/** A postback stores, whatever its method. */
const isRead = ({ method, routeOptions }: FastifyRequest): boolean =>
  method === 'GET' && routeOptions.url?.startsWith(postbackPath) !== true

export const errorBody = (error: AppError, requestId: string) => ({
  success: false,
  data: null,
  message: error.message,
  errors: error.errors,
  meta: {
    request_id: requestId,
    code: error.code,
    ...(error.fieldErrors && { field_errors: error.fieldErrors }),
    ...(error.sums && { sums: error.sums }),
    ...(error.choices && { choices: error.choices }),
    retryable: error.status === 429 || error.status >= 500,
  },
})

/** security 3.2.1: an answer of the API is data wherever a browser might show it. */
export const apiHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-site',
}

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const translated = translate(error, isRead(request))
  if (translated.status >= 500) request.log.error({ err: error }, 'request failed')
  if (translated.retryAfter !== undefined) reply.header('retry-after', translated.retryAfter)
  if (translated.status === 413) lingerWhenClosed(request.raw.socket)
  return reply.code(translated.status).headers(apiHeaders).send(errorBody(translated, request.id))
}

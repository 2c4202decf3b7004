export const CONNECTION_ERROR = 'Error de conexión. Inténtalo de nuevo.'
/** Whoever was asked who they are said no. */
export const ELEVATION_CANCELLED = 'ELEVATION_CANCELLED'
const UNEXPECTED_ERROR = 'Ocurrió un error inesperado'

/** A call that did not succeed, with the text that people read. */
export class ApiError extends Error {
  /** The HTTP status; 0 when no answer came. */
  readonly status: number
  readonly code: string | undefined
  /** What the server says of single fields. */
  readonly fieldErrors: Record<string, string[]>
  /** The figures of which the text speaks. */
  readonly sums: Record<string, string>
  /** What may be sent instead. */
  choices: string[] = []

  constructor(
    status: number,
    message: string,
    fieldErrors: Record<string, string[]> = {},
    code?: string,
    sums: Record<string, string> = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.fieldErrors = fieldErrors
    this.code = code
    this.sums = sums
  }
}

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** data.message, else data.errors joined, else message; first in the answer's data, then in the answer itself. */
function textOf(body: unknown): string | undefined {
  if (!isObject(body)) return isText(body) ? body : undefined
  for (const place of [body.data, body]) {
    if (!isObject(place)) continue
    if (isText(place.message)) return place.message
    const errors = Array.isArray(place.errors) ? place.errors.filter(isText) : []
    if (errors.length > 0) return errors.join(', ')
  }
  return undefined
}

/**
 * `body` is the parsed JSON, or the text when it was not JSON, or undefined when there was nothing. The words of the screen,
 * `fallback`, say more than a server that knows no reason.
 */
export function errorFrom(status: number, body: unknown, fallback = UNEXPECTED_ERROR): ApiError {
  const said = body === undefined ? `Error ${status}` : textOf(body)
  const text = said === undefined || said === UNEXPECTED_ERROR ? fallback : said
  const meta = isObject(body) && isObject(body.meta) ? body.meta : {}
  const fields = isObject(meta.field_errors) ? (meta.field_errors as Record<string, string[]>) : {}
  const sums = isObject(meta.sums) ? (meta.sums as Record<string, string>) : {}
  const error = new ApiError(status, text, fields, isText(meta.code) ? meta.code : undefined, sums)
  if (Array.isArray(meta.choices)) error.choices = meta.choices.filter(isText)
  return error
}

/**
 * A failed save in the words of its screen, followed by the server's reason if it refused. Lost connections and sessions
 * have their own texts.
 */
export function inWords(error: unknown, sentence: string): unknown {
  if (!(error instanceof ApiError) || error.status === 0 || error.status === 401) return error
  const refused = error.status >= 400 && error.status < 500
  return new ApiError(error.status, refused ? `${sentence}. ${error.message}` : sentence, error.fieldErrors, error.code)
}

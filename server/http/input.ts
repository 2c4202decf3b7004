import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type Endpoint, isNothing } from '#contract/endpoint.ts'
import { cleanText } from '#contract/fields.ts'
import { type AppError, badRequest } from './errors.ts'

/** A body may repeat the id of its path, never name another (D16). */
export function expectSameId(params: unknown, body: unknown): void {
  const [inPath, inBody] = [params, body].map((part) => (part as { id?: unknown } | undefined)?.id)
  if (typeof inPath === 'number' && inBody !== undefined && inBody !== inPath)
    throw badRequest('El id del cuerpo no coincide con el de la dirección')
}

type Schema = Endpoint['params']

export function parse(schema: Schema, value: unknown, refuse: (error: z.ZodError) => AppError): unknown {
  if (isNothing(schema)) return undefined
  const result = schema.safeParse(value)
  if (!result.success) throw refuse(result.error)
  return result.data
}

// A batch of events nests an event_data of eight levels in three of its own.
export const DEPTH_LIMIT = 12
export const KEY_LIMIT = 20_000

/** Bounds what a body may nest and hold, so that no later traversal can be made expensive (ASVS 1.5.2). */
export function sane(body: unknown): unknown {
  let keys = 0
  const check = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null) return
    if (depth > DEPTH_LIMIT) throw badRequest('El cuerpo tiene demasiados niveles')
    for (const child of Object.values(value)) {
      keys += 1
      if (keys > KEY_LIMIT) throw badRequest('El cuerpo tiene demasiados elementos')
      check(child, depth + 1)
    }
  }
  check(body, 1)
  return body
}

/** The raw query. Parsed here, not by the router, which would crash on a parser that throws. */
export function queryOf(request: FastifyRequest): string {
  const start = request.url.indexOf('?')
  return start < 0 ? '' : request.url.slice(start + 1)
}

/**
 * Query text as the API reads it: malformed percent-encoding is refused, a repeated parameter stays a list (which no
 * scalar schema accepts), an empty one counts as absent.
 */
export function parseQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const part of text.split('&')) {
    if (!part) continue
    const [rawName = '', ...rest] = part.split('=')
    const [name, value] = [decode(rawName), cleanText(decode(rest.join('=')))]
    if (value === '') continue
    const earlier = query[name]
    query[name] = earlier === undefined ? value : [earlier, value].flat()
  }
  return query
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw badRequest('La dirección contiene caracteres mal codificados')
  }
}

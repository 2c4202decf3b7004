import { z } from 'zod'
import { type Need, needOf } from './duties.ts'
import type { KeyPart } from './key-scopes.ts'
import type { Role } from './roles.ts'

/**
 * Characters of a path with its query. The API refuses a longer one, and so do most proxies on the way of a click, which
 * the server itself would still take.
 */
export const ADDRESS_LIMIT = 8192

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Who may call. A list of roles needs a bearer token of one of them, or, where `byKey` says so, a key in X-API-Key that
 * reads for one of them; `public` needs nothing; `issuer-key` needs the issuer's API key in X-API-Key; `postback-token`
 * needs the issuer's postback token as a parameter.
 */
export type Access = readonly Role[] | 'public' | 'issuer-key' | 'postback-token'

/** Another address of a call, which answers the same; `deprecated` where the specification does not name it. */
export interface Alias {
  path: string
  deprecated: boolean
}

/** One call of the API: what the server serves, the browser calls and the document describes. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  Allowed extends Access = Access,
  Part extends KeyPart | null = KeyPart | null,
> {
  method: Method
  /** Fastify's form, e.g. `/api/v1/products/:id/`; served with and without the closing slash. */
  path: string
  alias: Alias | null
  access: Allowed
  summary: string
  params: Params
  query: Query
  body: Body
  response: Response
  /** 204 answers have no body at all, not even the envelope. */
  status: 200 | 201 | 202 | 204
  /** What people read when it worked; the envelope's `message`. */
  message: string | null
  /** Bytes a body may have; D67. */
  bodyLimit: number
  /** The media types of an answer that is a file instead of the envelope; `serveStream` serves it. */
  file: readonly string[] | null
  /** The media types of a body that is a file instead of JSON; `serveUpload` serves it, with limits of its own. */
  upload: readonly string[] | null
  /** Query and body are read by the handler: what is around an event is no reason to refuse it (D87). */
  unparsed: boolean
  /** Only for who has shown in the last minutes who they are: a session left open or stolen is not enough. */
  elevated: boolean
  /** Also for who must register a second factor before anything else. */
  unenrolled: boolean
  /** Also for who must choose a password of their own before anything else. */
  givenPassword: boolean
  /** An Idempotency-Key holds for everybody, not for administrators alone (D27): the answer is kept, so it holds no secret. */
  repeatable: boolean
  /** What the caller's duty must include. */
  need: Need
  /** The part of what keys read that this belongs to; null: no key opens it. */
  byKey: Part
}

type Options<P, Q, B, R, A, K> = Pick<Endpoint, 'method' | 'path' | 'summary'> & {
  access: A
  alias?: Alias
  params?: P
  query?: Q
  body?: B
  response?: R
  status?: Endpoint['status']
  message?: string
  bodyLimit?: number
  file?: readonly string[]
  upload?: readonly string[]
  unparsed?: boolean
  elevated?: boolean
  unenrolled?: boolean
  givenPassword?: boolean
  repeatable?: boolean
  need?: Need
  byKey?: K
}

const nothing = z.undefined()
export type Nothing = typeof nothing
const JSON_LIMIT = 64 * 1024

export function endpoint<
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
  R extends z.ZodType = Nothing,
  const A extends Access = Access,
  const K extends KeyPart | null = null,
>(options: Options<P, Q, B, R, A, K>): Endpoint<P, Q, B, R, A, K> {
  return {
    ...options,
    alias: options.alias ?? null,
    params: options.params ?? (nothing as unknown as P),
    query: options.query ?? (nothing as unknown as Q),
    body: options.body ?? (nothing as unknown as B),
    response: options.response ?? (nothing as unknown as R),
    status: options.status ?? 200,
    message: options.message ?? null,
    bodyLimit: options.bodyLimit ?? JSON_LIMIT,
    file: options.file ?? null,
    upload: options.upload ?? null,
    unparsed: options.unparsed ?? false,
    elevated: options.elevated ?? false,
    unenrolled: options.unenrolled ?? false,
    givenPassword: options.givenPassword ?? false,
    repeatable: options.repeatable ?? false,
    need: needOf(options),
    byKey: options.byKey ?? (null as K),
  }
}

/** Stands for "this part does not exist" in an endpoint. */
export const isNothing = (schema: z.ZodType): boolean => schema === nothing

export type ParamsOf<E extends Endpoint> = z.output<E['params']>
export type QueryOf<E extends Endpoint> = z.output<E['query']>
export type BodyOf<E extends Endpoint> = z.output<E['body']>
export type ResponseOf<E extends Endpoint> = z.output<E['response']>

/** Warnings and codes that travel beside the data; codes are stable English upper case. */
export const Meta = z.looseObject({
  request_id: z.string(),
  code: z.string().optional(),
  field_errors: z.record(z.string(), z.array(z.string())).optional(),
  /** The figures of which a refusal speaks. */
  sums: z.record(z.string(), z.string()).optional(),
  retryable: z.boolean().optional(),
  warnings: z.array(z.string()).optional(),
  truncated: z.boolean().optional(),
  count_is_capped: z.boolean().optional(),
})
export type Meta = z.infer<typeof Meta>

export interface Envelope<T> {
  success: boolean
  data: T
  message: string | null
  errors: string[] | null
  meta: Meta
}

/** `/api/v1/products/:id/` with `{ id: 7 }` is `/api/v1/products/7/`. */
export const pathOf = ({ path }: Pick<Endpoint, 'path'>, params: Record<string, string | number> = {}): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

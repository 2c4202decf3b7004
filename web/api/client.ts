import type { z } from 'zod'
import { auth, SESSION_EXPIRED } from '#contract/auth.ts'
import { type Endpoint, type Envelope, type Meta, pathOf, type ResponseOf } from '#contract/endpoint.ts'
import { anyOf } from './any-of.ts'
import { apiBase } from './config.ts'
import { elevation } from './elevation.ts'
import { ApiError, CONNECTION_ERROR, ELEVATION_CANCELLED, errorFrom } from './errors.ts'
import { STOPPED_MS, session } from './session.ts'

const TIMEOUT_MS = 30_000

// Paths and queries carry text, whatever the schema makes of it on the server.
type Written<Schema extends z.ZodType> =
  z.input<Schema> extends infer Fields extends object ? { [Key in keyof Fields]: Fields[Key] | number } : undefined
type Search<Schema extends z.ZodType> =
  z.input<Schema> extends infer Fields extends object
    ? { [Key in keyof Fields]?: Fields[Key] | string | number | boolean | null | undefined }
    : undefined

type Part<Name extends string, Type> = [Type] extends [undefined]
  ? { [K in Name]?: undefined }
  : undefined extends Type
    ? { [K in Name]?: Type }
    : { [K in Name]: Type }

type CallParts<E extends Endpoint> = Part<'params', Written<E['params']>> & {
  query?: Search<E['query']>
} & Part<'body', z.input<E['body']>> & {
    /** The text when the server gives no reason. */
    fallback?: string
    signal?: AbortSignal
    /** With the same key again nothing is done twice. */
    requestKey?: string
    /** The `updated_at` of the row as it was read: refused when it was saved since (D17). */
    ifMatch?: string
  }

/** A row as it was read. */
export interface Seen {
  id: number
  updated_at: string
}

export const seenOf = ({ id, updated_at }: Seen): Seen => ({ id, updated_at })

type Rest<E extends Endpoint> = object extends CallParts<E> ? [parts?: CallParts<E>] : [parts: CallParts<E>]

/** Calls the API and gives the data of its answer; everything but success is an ApiError. */
export const call = async <E extends Endpoint>(endpoint: E, ...rest: Rest<E>): Promise<ResponseOf<E>> =>
  (await callWithMeta(endpoint, ...rest)).data

export interface Outcome<Data> {
  data: Data
  /** Codes of doubts about what was accepted. */
  warnings: string[]
  /** More match than are counted (D51). */
  isCapped: boolean
  /** The list was truncated (D54). */
  isCut: boolean
}

/** The answer of a call whose answer is a file, not yet read; everything but success is an ApiError. */
export async function callForFile(endpoint: Endpoint, parts: FileParts): Promise<Response> {
  const response = await sendSignedIn(endpoint, { ...parts, unhurried: true })
  if (!response.ok) await read(response)
  return response
}

/** Sends a file as the body of a call; it may take as long as it takes. */
export const sendFile = async <E extends Endpoint>(
  endpoint: E,
  file: Blob,
  parts: { query: Search<E['query']>; signal: AbortSignal },
): Promise<ResponseOf<E>> =>
  (await read(await sendSignedIn(endpoint, { ...parts, file, unhurried: true }))).data as ResponseOf<E>

export interface FileParts {
  params?: Record<string, string | number> | undefined
  query?: Record<string, string | number | null | undefined> | undefined
  signal: AbortSignal
}

export async function callWithMeta<E extends Endpoint>(
  endpoint: E,
  ...[parts]: Rest<E>
): Promise<Outcome<ResponseOf<E>>> {
  return read(await sendSignedIn(endpoint, parts ?? {}), parts?.fallback) as Promise<Outcome<ResponseOf<E>>>
}

/** Refreshes an expired token, or asks who somebody is, and repeats the call once. */
async function sendSignedIn(endpoint: Endpoint, parts: Loose): Promise<Response> {
  const token = isOpen(endpoint) ? null : session.accessToken()
  let response = await send(endpoint, parts, token)
  if (isOpen(endpoint)) return response
  if (response.status === 401) response = await send(endpoint, parts, await freshToken(token))
  if (!(await needsElevation(response))) return response
  if (await elevation.ask()) return send(endpoint, parts, session.accessToken())
  // The session ended under the question: that is said, not what nobody can confirm any more.
  if (session.accessToken() === null) throw sessionExpired()
  throw new ApiError(403, errorFrom(403, await response.json()).message, {}, ELEVATION_CANCELLED)
}

const sessionExpired = () => new ApiError(401, SESSION_EXPIRED, {}, 'SESSION_EXPIRED')

/** Whether the person has to show again who they are, after which the call is repeated. */
async function needsElevation(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined) // the refusal of a proxy
  return (body as { meta?: Meta } | undefined)?.meta?.code === 'ELEVATION_REQUIRED'
}

/** A refusal of these is about what was sent, not about the session. */
const isOpen = ({ path }: Endpoint): boolean => OPEN.includes(path)
const OPEN: string[] = [auth.login, auth.loginSecond, auth.loginPasskey, auth.refresh].map(({ path }) => path)

interface Loose {
  params?: object | undefined
  query?: object | undefined
  body?: unknown
  /** Sent instead of a body, with its own type. */
  file?: Blob
  signal?: AbortSignal
  requestKey?: string
  ifMatch?: string
  /** Without a timeout, for files. */
  unhurried?: boolean
}

async function send(
  endpoint: Endpoint,
  { params, query, body, file, signal, requestKey, ifMatch, unhurried = false }: Loose,
  token: string | null,
): Promise<Response> {
  if (session.isLeft()) return never()
  const path = pathOf(endpoint, params as Record<string, string | number> | undefined)
  const timeout = unhurried ? undefined : AbortSignal.timeout(TIMEOUT_MS)
  const signals = [signal, timeout].filter((each) => each !== undefined)
  try {
    const response = await fetch(apiBase() + path + searchOf(query), {
      method: endpoint.method,
      headers: {
        Accept: 'application/json',
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(file && { 'Content-Type': file.type }),
        ...(requestKey !== undefined && { 'Idempotency-Key': requestKey }),
        ...(ifMatch !== undefined && { 'If-Match': `"${ifMatch}"` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(file && { body: file }),
      credentials: 'omit',
      signal: anyOf(signals),
    })
    return session.isLeft() ? never() : response
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, CONNECTION_ERROR)
  }
}

/** The page is gone before anybody misses the answer, unless somebody stopped the one to come. */
function never(): Promise<never> {
  setTimeout(session.leaveAgain, STOPPED_MS)
  return new Promise(() => undefined)
}

/** `?a=1&b=2`, without what is empty. */
function searchOf(query: object = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '')
  return entries.length > 0 ? `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}` : ''
}

async function read(response: Response, fallback?: string): Promise<Outcome<unknown>> {
  if (response.status === 204) return outcomeOf(undefined)
  const text = await response.text().catch(() => {
    throw new ApiError(0, CONNECTION_ERROR)
  })
  const body = bodyOf(response, text)
  if (!response.ok || isRefusal(body)) throw errorFrom(response.status, body, fallback)
  return isEnvelope(body) ? outcomeOf(body.data, body.meta) : outcomeOf(body)
}

const outcomeOf = (data: unknown, meta?: Partial<Meta>): Outcome<unknown> => ({
  data,
  warnings: meta?.warnings ?? [],
  isCapped: meta?.count_is_capped ?? false,
  isCut: meta?.truncated ?? false,
})

function bodyOf(response: Response, text: string): unknown {
  const type = response.headers.get('content-type') ?? ''
  // An HTML error page of a proxy is no message for people.
  if (text.trim() === '' || (!response.ok && type.includes('text/html'))) return undefined
  if (!type.includes('json')) return text
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError(response.status, `Error ${response.status}`)
  }
}

const isEnvelope = (body: unknown): body is Pick<Envelope<unknown>, 'success' | 'data'> & { meta?: Meta } =>
  typeof body === 'object' && body !== null && 'success' in body && 'data' in body

/** Some refusals travel as 200 with `success: false`. */
const isRefusal = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && (body as { success?: unknown }).success === false

let refreshing: Promise<string> | undefined

/** A token newer than the refused one; concurrent calls share one refresh. */
function freshToken(refused: string | null): Promise<string> {
  const current = session.accessToken()
  if (current !== null && current !== refused && !refreshing) return Promise.resolve(current)
  refreshing ??= refresh().finally(() => {
    refreshing = undefined
  })
  return refreshing
}

async function refresh(): Promise<string> {
  const token = session.refreshToken()
  const response = token ? await send(auth.refresh, { body: { refresh: token } }, null) : undefined
  // A busy or absent server says nothing about the session; signing people out for it would lose their work.
  if (response && (response.status === 429 || response.status >= 502)) await read(response)
  // A success without a usable token is as final as a refusal.
  const access = response?.ok ? accessOf((await read(response).catch(() => undefined))?.data) : undefined
  if (access === undefined) {
    session.expire()
    throw sessionExpired()
  }
  session.replaceAccess(access)
  return access
}

function accessOf(data: unknown): string | undefined {
  const access = typeof data === 'object' && data !== null ? (data as { access?: unknown }).access : undefined
  return typeof access === 'string' && access !== '' ? access : undefined
}

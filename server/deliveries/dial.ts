import { Resolver } from 'node:dns/promises'
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as plainRequest,
  type RequestOptions,
} from 'node:http'
import { Agent, request as secureRequest } from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import type { AttemptError } from '#contract/deliveries.ts'
import { cleanText } from '#contract/fields.ts'
import { isCallable, isPublicAddress, LOOPBACK, type Reach } from './addresses.ts'

export interface Call {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | null
}

/** An answer, or why there was none. */
export interface Outcome {
  status: number | null
  error: AttemptError | null
  ms: number
  peer: string | null
  answer: string | null
  /** Seconds that the receiver asked to wait. */
  retryAfter: number | null
}

type Resolve = (host: string) => Promise<string[]>

const WITHIN_MS = 15_000
const CONNECT_MS = 5_000
const ANSWER_BYTES = 64 * 1024
const KEPT_CHARACTERS = 1024
const RETRY_AFTER_MAX = 86_400
/** Answers before the answer, such as 103; reading them for fifteen seconds would cost the clicks their time. */
const HINTS_MAX = 10

class Unreached extends Error {
  readonly code: AttemptError
  constructor(code: AttemptError) {
    super(code)
    this.code = code
  }
}

/** Calls out. The only part of the server that does (security 2.8). */
export class Dialer {
  readonly #reach: Reach
  readonly #resolve: Resolve
  readonly #agents: { 'https:': Agent; 'http:': HttpAgent }

  constructor(reach: Reach, resolve: Resolve = resolveByDns) {
    this.#reach = reach
    this.#resolve = resolve
    // One connection a call: one that is kept may be cut as it is used. Sessions of TLS are resumed all the same.
    this.#agents = { 'https:': new Agent({ keepAlive: false }), 'http:': new HttpAgent({ keepAlive: false }) }
  }

  isCallable = (url: string): boolean => {
    const parsed = URL.parse(url)
    return parsed !== null && isCallable(parsed, this.#reach)
  }

  /** Never throws for what a receiver does. */
  async dial(call: Call, closing?: AbortSignal): Promise<Outcome> {
    const started = performance.now()
    const late = AbortSignal.timeout(WITHIN_MS)
    const signal = closing ? AbortSignal.any([late, closing]) : late
    try {
      const { peer, ...answer } = await this.#ask(call, signal)
      return { ...answer, error: null, ms: since(started), peer }
    } catch (error) {
      closing?.throwIfAborted()
      const code = late.aborted ? 'timeout' : reasonOf(error)
      return { status: null, error: code, ms: since(started), peer: null, answer: null, retryAfter: null }
    }
  }

  async #ask({ url, method, headers, body }: Call, signal: AbortSignal) {
    const target = new URL(url)
    if (!isCallable(target, this.#reach)) throw new Unreached('address')
    const addresses = await within(signal, this.#addressesOf(target))
    const options = {
      method,
      headers: { ...headers, ...(body !== null && { 'content-length': String(Buffer.byteLength(body)) }) },
      agent: this.#agents[target.protocol as 'https:'],
      signal,
      lookup: lookupOf(addresses),
    } satisfies RequestOptions
    const start = target.protocol === 'https:' ? secureRequest : plainRequest
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const request = start(target, options, resolve).on('error', reject)
    // After 101 (another protocol) nothing else tells that it is over.
    request.on('close', () => reject(new Unreached('broken')))
    request.on('socket', (socket) => this.#watch(socket, request))
    let hints = 0
    request.on('information', () => {
      hints += 1
      if (hints > HINTS_MAX) request.destroy(new Unreached('broken'))
    })
    request.end(body ?? undefined)
    const response = await promise
    const peer = response.socket.remoteAddress ?? null
    const answer = await readBeginning(response)
    return { status: response.statusCode ?? 0, peer, answer, retryAfter: retryAfterOf(response) }
  }

  /** The second barrier: whatever was judged, nothing is said to an inner address. */
  #watch(socket: Socket, request: ClientRequest): void {
    const timer = setTimeout(() => request.destroy(new Unreached('connect')), CONNECT_MS)
    const end = () => clearTimeout(timer)
    const onConnect = () => {
      end()
      const address = socket.remoteAddress ?? ''
      if (!isPublicAddress(address) && !(this.#reach.loopback && address === LOOPBACK))
        request.destroy(new Unreached('address'))
    }
    socket.once('connect', onConnect).once('close', end)
  }

  /** All of them are judged, and exactly these are called: a second look at the name might find others. */
  async #addressesOf(target: URL): Promise<string[]> {
    if (this.#reach.loopback && target.hostname === LOOPBACK) return [target.hostname]
    const addresses = await this.#resolve(target.hostname)
    if (!addresses.length) throw new Unreached('dns')
    if (!addresses.every(isPublicAddress)) throw new Unreached('address')
    return addresses
  }
}

/** Not the system's own look-up: its few threads are those that write to the disk, where clicks wait. */
async function resolveByDns(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return [v4, v6].flatMap((found) => (found.status === 'fulfilled' ? found.value : []))
}

const lookupOf =
  (addresses: string[]): LookupFunction =>
  (_host, _options, done) => {
    const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    if (_options.all) done(null, all)
    else done(null, all[0]?.address ?? '', all[0]?.family)
  }

/** A body that does not end is cut off; the status was an answer already. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part)
    bytes += part.length
    if (bytes >= ANSWER_BYTES) break
  }
  response.destroy()
  return cleanText(Buffer.concat(parts).toString('utf8')).slice(0, KEPT_CHARACTERS).toWellFormed()
}

function retryAfterOf({ headers }: IncomingMessage): number | null {
  const text = headers['retry-after']
  if (text === undefined) return null
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return seconds > 0 ? Math.min(Math.ceil(seconds), RETRY_AFTER_MAX) : null
}

const within = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
  ])

const since = (started: number): number => Math.round(performance.now() - started)

function reasonOf(error: unknown): AttemptError {
  if (error instanceof Unreached) return error.code
  const code = String((error as { code?: unknown }).code ?? '')
  if (/^(CERT_|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) return 'tls'
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL)/.test(code)) return 'connect'
  return 'broken'
}

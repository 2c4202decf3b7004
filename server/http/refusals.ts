import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { truncateAddress } from '../clicks/visitor.ts'
import { partyOf } from '../viewer.ts'
import { addressOf } from './addresses.ts'
import { translate } from './errors.ts'
import { queryOf } from './input.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What is wrong with the bearer token, if anything. */
    bearer: 'expired' | 'invalid' | null
  }
}

/** The refusals that tell of an attack, as OWASP's logging vocabulary calls them (security 16.3). */
const EVENTS: Record<number, string> = { 401: 'authn_fail', 403: 'authz_fail', 429: 'excess_rate_limit_exceeded' }

interface Refusal {
  event: string
  reason: string
  method: string
  /** Its pattern, which holds no ids. */
  route: string
  who: string | undefined
  network: string
}

/** Beyond so many at a time the others share a line: an attack from everywhere must not fill the disk. */
const LINES = 200
const MINUTE_MS = 60_000

/** What one source is refused on one route for one reason: a line at once, then one a minute with how often. */
class RefusalLog {
  readonly #log: Pick<FastifyBaseLogger, 'warn'>
  readonly #told = new Map<string, { refusal: Refusal; times: number }>()

  constructor(log: Pick<FastifyBaseLogger, 'warn'>) {
    this.#log = log
  }

  note(request: FastifyRequest, error: unknown): void {
    const refusal = refusalOf(request, error)
    if (refusal) this.#count(sourceOf(refusal), refusal)
  }

  #count(source: string, refusal: Refusal): void {
    const told = this.#told.get(source)
    if (told) {
      told.times += 1
    } else if (this.#told.size >= LINES && refusal.network !== OTHERS) {
      const { event, reason } = refusal
      this.#count(`${OTHERS} ${event}`, { event, reason, method: '*', route: '*', who: undefined, network: OTHERS })
    } else {
      this.#told.set(source, { refusal, times: 0 })
      this.#log.warn(refusal, 'refused')
    }
  }

  /** To be called once a minute. */
  summarize(): void {
    for (const [source, told] of this.#told) {
      if (told.times === 0) this.#told.delete(source)
      else this.#log.warn({ ...told.refusal, times: told.times }, 'refused again')
      told.times = 0
    }
  }
}

const OTHERS = 'others'

/** A key is no source: whoever makes them up has as many as it likes. */
const sourceOf = ({ who, network, event, reason, method, route }: Refusal): string =>
  [who?.includes(' ') ? who : network, event, reason, method, route].join(' ')

function refusalOf(request: FastifyRequest, error: unknown): Refusal | undefined {
  const { status, code } = translate(error)
  const event = EVENTS[status]
  // A browser renews its token when it has expired, every ten minutes.
  if (!event || (status === 401 && request.bearer === 'expired')) return undefined
  return {
    event,
    reason: status === 401 && request.bearer === 'invalid' ? 'INVALID_TOKEN' : code,
    method: request.method,
    route: request.routeOptions.url ?? '',
    who: whoIs(request),
    network: truncateAddress(addressOf(request)),
  }
}

/** A user, a company or a key of the network; of a stranger's key no more than its beginning, which is of no use to guess the rest. */
function whoIs(request: FastifyRequest): string | undefined {
  const { viewer, keyReader, sender, headers, body } = request
  if (viewer) return `user ${viewer.userId}`
  if (keyReader) return partyOf(keyReader)
  if (sender) return `issuer ${sender.issuerId}`
  const sent = typeof body === 'object' && body !== null && 'token' in body ? body.token : undefined
  const key = headers['x-api-key'] ?? new URLSearchParams(queryOf(request)).get('token') ?? sent
  return typeof key === 'string' ? /^(?:iss|aff|net|pbt)_[0-9A-Za-z]{4}(?=_)/.exec(key.trim())?.[0] : undefined
}

/** Covers every route; costs nothing where nothing is refused. */
export function logRefusals(app: FastifyInstance): void {
  const refusals = new RefusalLog(app.log)
  const summarizing = setInterval(() => refusals.summarize(), MINUTE_MS).unref()
  app.addHook('onError', (request, _reply, error, done) => {
    refusals.note(request, error)
    done()
  })
  app.addHook('onClose', async () => {
    clearInterval(summarizing)
    refusals.summarize()
  })
}

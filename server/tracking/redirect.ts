import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '#db/connect.ts'
import { AppError, translate } from '../errors.ts'
import { Gate } from '../gate.ts'
import { queryOf } from '../input.ts'
import { type ClickOutcome, type Measures, unmeasured } from '../monitoring/measures.ts'
import { readClickParams } from './click-params.ts'
import { DoubleTaps } from './double-taps.ts'
import { answerClickError } from './error-pages.ts'
import { addFastLane } from './fast-lane.ts'
import { findLiveTarget, follow, isPrefetch, type Parts } from './follow.ts'
import type { Limits } from './group-commit.ts'
import { LastingTargets } from './lasting-targets.ts'
import { LeadStore } from './lead-store.ts'
import { PreviewCounts } from './preview-counts.ts'
import type { Spool } from './spool.ts'

type Click = FastifyRequest<{ Params: { relationship_id: string } }>

export const CLICK_PATH = '/api/v1/leads/redirect/'
const url = `${CLICK_PATH}:relationship_id/`
const PLAIN = new RegExp(`^${CLICK_PATH}(\\d{1,15})/?\\?(.*)$`)

interface Needs {
  db: Db
  databaseUrl: string
  spool: Spool
  /** Open when left out. */
  gate?: Gate
  limits?: Partial<Limits>
  measures?: Measures
  /** Whose request it is; who is connected when left out. */
  addressOf?: (request: IncomingMessage) => string
}

export const peerOf = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? ''

async function openParts(app: FastifyInstance, needs: Needs): Promise<Parts> {
  const { db, databaseUrl, spool, gate = Gate.opened(), limits = {}, measures = unmeasured } = needs
  const report = (err: unknown, what: string) => app.log.error({ err }, what)
  const leads = new LeadStore({ spool, databaseUrl, limits, gate, measures, report })
  const lasting = await LastingTargets.open({ db, databaseUrl, folder: spool.folder, gate, report })
  const counts = new PreviewCounts(db, gate)
  app.addHook('onClose', async () => {
    // The spool last: its folder is ours until then, with the copy of the targets.
    await Promise.all([lasting.close(), counts.flush()])
    await leads.close()
  })
  const taps = new DoubleTaps(() => measures.clicks('repeated', 1))
  return { targets: lasting.targets, counts, measures, taps, storeLead: (lead) => leads.store(lead) }
}

/** The way of a click. Registered before compression is, which adds its hooks to the routes that come after it. */
export async function redirectRoutes(app: FastifyInstance, needs: Needs): Promise<void> {
  const parts = await openParts(app, needs)
  const { addressOf = peerOf } = needs
  const failures = addFastLane(app, {
    pattern: PLAIN,
    answer: async (request, [, linkId = '', query = '']) => {
      const location = await follow(parts, { ip: addressOf(request), headers: request.headers, linkId, query })
      return [...plainHeaders, 'location', location]
    },
  })

  // A logger of its own for each request would cost a fortieth of a click; one that fails gets it below.
  app.setChildLoggerFactory((logger) => logger)
  app.setErrorHandler((error, request, reply) => {
    request.log = request.log.child({ reqId: request.id })
    parts.measures.clicks(outcomeOf(error, request), 1)
    return answerClickError(error, request, reply)
  })
  app.get(url, { exposeHeadRoute: false }, async (request: Click, reply) => {
    const failure = failures.get(request.raw)
    if (failure) throw failure
    const { ip, headers, params } = request
    const location = await follow(parts, { ip, headers, linkId: params.relationship_id, query: queryOf(request) })
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
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url,
    // Before the body is read, whatever its type.
    onRequest: async (_request, reply) => {
      reply.header('allow', 'GET, HEAD')
      throw new AppError(405, 'METHOD_NOT_ALLOWED', 'Método no permitido')
    },
    handler: async () => undefined,
  })
}

const redirectHeaders = {
  'cache-control': 'no-store, private',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'x-content-type-options': 'nosniff',
}
const plainHeaders = [...Object.entries(redirectHeaders).flat(), 'content-length', '0']

const FAILURES: Record<number, ClickOutcome> = {
  400: 'invalid',
  404: 'unknown',
  405: 'invalid',
  410: 'inactive',
  503: 'refused',
}

const outcomeOf = (error: unknown, request: FastifyRequest): ClickOutcome =>
  isPrefetch(request) ? 'prefetch' : (FAILURES[translate(error).status] ?? 'failed')

import { randomUUIDv7 } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '#db/connect.ts'
import { AppError, badRequest, translate, unavailable } from '../errors.ts'
import { Gate } from '../gate.ts'
import { queryOf } from '../input.ts'
import { type ClickOutcome, type Measures, unmeasured } from '../monitoring/measures.ts'
import { type ClickParams, readClickParams } from './click-params.ts'
import { DoubleTaps } from './double-taps.ts'
import { answerClickError } from './error-pages.ts'
import type { Limits } from './group-commit.ts'
import { LastingTargets } from './lasting-targets.ts'
import type { LeadRecord } from './lead-rows.ts'
import { LeadStore } from './lead-store.ts'
import { locationOf } from './location.ts'
import { PreviewCounts } from './preview-counts.ts'
import type { Spool } from './spool.ts'
import type { Target, Targets } from './targets.ts'
import { hostOf, truncateAddress, type Visitor, visitorOf } from './visitor.ts'

interface Parts {
  targets: Targets
  taps: DoubleTaps
  counts: PreviewCounts
  measures: Measures
  /** The one place where a click becomes durable. */
  storeLead: (lead: LeadRecord) => Promise<void>
}

type Click = FastifyRequest<{ Params: { relationship_id: string } }>

export const CLICK_PATH = '/api/v1/leads/redirect/'
const url = `${CLICK_PATH}:relationship_id/`

interface Needs {
  db: Db
  databaseUrl: string
  spool: Spool
  /** Open when left out. */
  gate?: Gate
  limits?: Partial<Limits>
  measures?: Measures
}

/** The way of a click. Registered before compression is, which adds its hooks to the routes that come after it. */
export async function redirectRoutes(
  app: FastifyInstance,
  { db, databaseUrl, spool, gate = Gate.opened(), limits = {}, measures = unmeasured }: Needs,
): Promise<void> {
  const report = (err: unknown, what: string) => app.log.error({ err }, what)
  const leads = new LeadStore({ spool, databaseUrl, limits, gate, measures, report })
  const lasting = await LastingTargets.open({ db, databaseUrl, folder: spool.folder, gate, report })
  const [targets, counts] = [lasting.targets, new PreviewCounts(db, gate)]
  const taps = new DoubleTaps(() => measures.clicks('repeated', 1))
  const parts: Parts = { targets, counts, measures, taps, storeLead: (lead) => leads.store(lead) }
  app.addHook('onClose', async () => {
    // The spool last: its folder is ours until then, with the copy of the targets.
    await Promise.all([lasting.close(), counts.flush()])
    await leads.close()
  })

  // A logger of its own for each request would cost a fortieth of a click; one that fails gets it below.
  app.setChildLoggerFactory((logger) => logger)
  app.setErrorHandler((error, request, reply) => {
    request.log = request.log.child({ reqId: request.id })
    measures.clicks(outcomeOf(error, request), 1)
    return answerClickError(error, request, reply)
  })
  app.get(url, { exposeHeadRoute: false }, (request: Click, reply) => click(parts, request, reply))
  app.head(url, async (request: Click, reply) => {
    expectLive(parts, await findTarget(parts, request, readClickParams(queryOf(request))))
    return reply.code(204).headers(redirectHeaders).send()
  })
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

async function click(parts: Parts, request: Click, reply: FastifyReply): Promise<FastifyReply> {
  // A browser that fetched ahead drops a 503 and asks again when the person really clicks.
  if (isPrefetch(request)) throw unavailable()
  const params = readClickParams(queryOf(request))
  const found = findTarget(parts, request, params)
  const target = expectLive(parts, found instanceof Promise ? await found : found)
  const visitor = visitorOf(request.headers['user-agent'] ?? '')
  const trackingId =
    visitor.kind === 'person' ? await takeLead(parts, request, target, params, visitor) : randomUUIDv7()
  // A preview's id is fresh and never stored: a fixed one would come back from the issuer as if it were somebody.
  if (visitor.kind !== 'person') {
    parts.counts.add(target, visitor.kind)
    parts.measures.clicks(visitor.kind, 1)
  }
  return reply.code(302).headers(redirectHeaders).header('location', locationOf(target, trackingId)).send()
}

function isPrefetch({ headers }: FastifyRequest): boolean {
  const { 'sec-purpose': purpose, purpose: older, 'x-moz': oldest } = headers
  return Boolean(purpose || older || oldest) && /\bprefetch\b/i.test(`${purpose} ${older} ${oldest}`)
}

const FAILURES: Record<number, ClickOutcome> = {
  400: 'invalid',
  404: 'unknown',
  405: 'invalid',
  410: 'inactive',
  503: 'refused',
}

const outcomeOf = (error: unknown, request: FastifyRequest): ClickOutcome =>
  isPrefetch(request) ? 'prefetch' : (FAILURES[translate(error).status] ?? 'failed')

function findTarget({ targets }: Parts, request: Click, params: ClickParams): ReturnType<Targets['find']> {
  return targets.find(readId(request.params.relationship_id), readId(params.product_id))
}

function expectLive({ counts }: Parts, target: Target | undefined): Target {
  if (!target) throw unknownLink()
  if (target.live) return target
  counts.add(target, 'inactive')
  throw new AppError(410, 'LINK_INACTIVE', 'Este enlace ya no está activo')
}

const unknownLink = () => new AppError(404, 'NOT_FOUND', 'Este enlace no existe')

function readId(text: string): number {
  if (!/^-?\d{1,100}$/.test(text)) throw badRequest('El enlace está incompleto')
  const id = Number(text)
  if (!Number.isSafeInteger(id) || id < 1) throw unknownLink()
  return id
}

/** A person on a link. */
interface Tap {
  ip: string
  headers: IncomingHttpHeaders
  target: Target
  params: ClickParams
}

function takeLead(
  { taps, counts, storeLead }: Parts,
  request: Click,
  target: Target,
  params: ClickParams,
  visitor: Visitor,
): Promise<string> {
  const tap = { ip: request.ip, headers: request.headers, target, params }
  return taps.once(textOf(tap), () => {
    const lead = leadOf(tap, visitor)
    return storeLead(lead).then(
      () => lead.tracking_id,
      (error) => {
        counts.add(target, 'unstored')
        throw error
      },
    )
  })
}

/** What tells it from others. Neither a cleaned parameter nor a header holds the line break between its parts. */
const textOf = ({ ip, headers, target, params }: Tap): string =>
  `${target.relationship_id} ${target.product_id} ${ip}
${params.external_id}
${params.utm_source}
${params.utm_medium}
${params.utm_campaign}
${params.utm_term}
${params.utm_content}
${headers['user-agent']}`

/** Written out field by field: an object made of the rest of another one costs several times as much, here and as JSON. */
function leadOf({ ip, headers, target, params }: Tap, visitor: Visitor): LeadRecord {
  const referer = hostOf(headers.referer)
  return {
    tracking_id: randomUUIDv7(),
    relationship_id: target.relationship_id,
    affiliate_id: target.affiliate_id,
    issuer_id: target.issuer_id,
    product_id: target.product_id,
    external_id: params.external_id,
    utm_source: params.utm_source,
    utm_medium: params.utm_medium,
    utm_campaign: params.utm_campaign,
    utm_term: params.utm_term,
    utm_content: params.utm_content,
    lead_data: {
      params: params.params,
      ip_trunc: truncateAddress(ip),
      ua_family: visitor.family,
      referer_host: referer || undefined,
      flags: visitor.flags.length ? visitor.flags : undefined,
      notes: params.notes.length ? params.notes : undefined,
    },
  }
}

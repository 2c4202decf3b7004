import compress from '@fastify/compress'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { speakSpanish } from '#contract/spanish.ts'
import { connect, type Db, queriesOver } from '#db/connect.ts'
import { listen } from '#db/listen.ts'
import type { ConnectOptions } from '#db/pool.ts'
import { affiliateRoutes } from './affiliates/routes.ts'
import { auditLogRoutes } from './audit-log/routes.ts'
import { loginPage } from './auth/login-page.ts'
import { authRoutes } from './auth/routes.ts'
import { AccessTokens } from './auth/tokens.ts'
import { reportRoutes } from './boards/routes.ts'
import { Links } from './clicks/links.ts'
import { redirectRoutes } from './clicks/redirect.ts'
import { commissionRoutes } from './commissions/routes.ts'
import { ApiKeys } from './companies/api-keys.ts'
import type { Config } from './config.ts'
import { dashboardRoutes } from './dashboards/routes.ts'
import { documentApi } from './docs/docs.ts'
import { eventStepRoutes } from './event-steps/routes.ts'
import type { IssuerAccess } from './events/access.ts'
import type { Intake } from './events/intake.ts'
import { trackingRoutes } from './events/routes.ts'
import { EVENTS_POOL, EventStore } from './events/store.ts'
import { exportRoutes } from './exports/routes.ts'
import { healthRoutes } from './health.ts'
import { guardApi, newFastify, refuseOtherMethods } from './http/framework.ts'
import type { App } from './http/http.ts'
import { createOnce } from './http/idempotency.ts'
import { createIssuerLimit, createViewerLimit } from './http/limits.ts'
import { serveWeb } from './http/web.ts'
import { integrationRoutes } from './integration/routes.ts'
import { issuerRoutes } from './issuers/routes.ts'
import { landingRoutes } from './landing/routes.ts'
import { tendPartitions } from './leads/partitions.ts'
import { leadRoutes } from './leads/routes.ts'
import { legalRoutes } from './legal/routes.ts'
import { type Measures, unmeasured } from './monitoring/measures.ts'
import { measureRequests } from './monitoring/requests.ts'
import { paymentRoutes } from './payments/routes.ts'
import { productRoutes } from './products/routes.ts'
import { Recurring } from './recurring.ts'
import { relationshipRoutes } from './relationships/routes.ts'
import { Spools } from './spool/copies.ts'
import type { Spool } from './spool/spool.ts'
import { type Front, openFront } from './start/front.ts'
import { Gate } from './start/gate.ts'
import { foldAndRest } from './totals/fold.ts'
import { userRoutes } from './users/routes.ts'
import { forgetting, Identities, type Viewer } from './viewer.ts'

export interface Dependencies {
  db: Db
  config: Config
  /** For the connection that listens to what other copies of the server changed. */
  databaseUrl: string
  /** What answers clicks already; opened here when left out, and closed with the rest. */
  front?: Front
  /** While it is closed, clicks are served from what is on our disk, and nothing else is. Open when left out. */
  gate?: Gate
  /** Who counts what happens; nobody when left out. */
  measures?: Measures
  checkAnswers?: boolean
  answerWithinMs?: number
}

/** Each statement has its own limit, and an answer may need several: 5 s for a connection and one that takes all its 15 s. */
const ANSWER_WITHIN_MS = 20_000

export async function buildApp(dependencies: Dependencies): Promise<FastifyInstance> {
  const { db, config, databaseUrl, gate = Gate.opened(), measures = unmeasured } = dependencies
  const front = dependencies.front ?? (await openFront({ config, databaseUrl, gate, measures }))
  const app = openBehind(front, config)
  const door = queriesOver(front.door)
  const { tokens, identities, apiKeys, forget, andForget } = whoIsWho(door, config)
  const links = new Links(config.publicUrl)
  prepare(app, {
    checkAnswers: dependencies.checkAnswers ?? false,
    findViewer: (request) => findViewer(tokens, identities, request),
    limitViewer: createViewerLimit(config.requestsPerSecond),
    once: createOnce(db, config.secret),
    answerWithinMs: dependencies.answerWithinMs ?? ANSWER_WITHIN_MS,
  })
  await app.register(redirectRoutes, front.clicks)
  measureRequests(app, measures)
  app.addHook('onRequest', guardApi(gate))
  await registerTransport(app, config)
  await documentApi(app, config.publicUrl)
  healthRoutes(app, db, front.spool, gate, config)
  authRoutes(app, door, tokens, identities, config)
  userRoutes(app, db, andForget)
  affiliateRoutes(app, db, apiKeys, andForget)
  issuerRoutes(app, db, apiKeys, config.issuerDirectory, andForget)
  relationshipRoutes(app, db)
  productRoutes(app, db, links)
  eventStepRoutes(app, db)
  commissionRoutes(app, db)
  paymentRoutes(app, db)
  leadRoutes(app, db)
  dashboardRoutes(app, db, config.dashboardOrigins)
  reportRoutes(app, db)
  auditLogRoutes(app, db)
  exportRoutes(app, db, openAside(app, databaseUrl, 'exports', EXPORT_POOL), links, config.issuerDirectory)
  const spools = await openSpools(app, front.spool, door, gate)
  const intake = { db, events: openEvents(app, databaseUrl), spool: spools, measures }
  await connectIssuers(app, intake, { apiKeys, limitIssuer: createIssuerLimit(config.requestsPerSecond) }, links)
  refuseOtherMethods(app)
  await servePages(app, db, config)
  await followChanges(app, { databaseUrl, gate, apiKeys, forget })
  startServices(app, db, databaseUrl, gate)
  return begin(app, front)
}

/** What the server does by itself, besides answering. */
function startServices(app: App, db: Db, databaseUrl: string, gate: Gate): void {
  const report = (what: string) => (err: unknown) => app.log.error({ err }, what)
  const closing = new AbortController()
  const services = [
    new Recurring({
      ...{ gate, pauseMs: 10_000, report: report('partitions of leads: not tended') },
      run: async () => (await tendPartitions(db, { databaseUrl, signal: closing.signal })).restMs,
    }),
    new Recurring({
      ...{ gate, pauseMs: 10_000, report: report('totals: not folded') },
      run: () => foldAndRest(db),
    }),
  ]
  app.addHook('onClose', async () => {
    closing.abort()
    await Promise.all(services.map((service) => service.close()))
  })
}

async function begin(app: FastifyInstance, front: Front): Promise<FastifyInstance> {
  await app.ready()
  front.clicks.lane.handOver(app.routing)
  return app
}

function openBehind(front: Front, config: Config): FastifyInstance {
  const app = newFastify(config, front.server)
  app.addHook('onClose', () => front.close())
  front.log.passTo(app.log)
  return app
}

/**
 * A search through every lead may take longer than the questions of a screen. At most so many exports at a time; one
 * more waits for a connection, then is told to come back.
 */
const EXPORT_POOL = { max: 4, statementTimeoutMs: 120_000 }

/** Connections for one purpose, beside those of the screens. */
function openAside(app: App, databaseUrl: string, purpose: string, options: ConnectOptions): Db {
  // While closing, PostgreSQL may leave before the last idle connection has.
  const onError = (err: Error) => app.server.listening && app.log.warn({ err }, `connection of the ${purpose} lost`)
  const aside = connect(databaseUrl, {
    ...options,
    role: 'afluente_app',
    applicationName: `afluente ${purpose}`,
    onError,
  })
  app.addHook('onClose', () => aside.destroy())
  return aside
}

const openEvents = (app: App, databaseUrl: string): EventStore =>
  new EventStore(openAside(app, databaseUrl, 'events', EVENTS_POOL))

async function openSpools(app: App, spool: Spool, db: Db, gate: Gate): Promise<Spools> {
  const report = (err: unknown) => app.log.error({ err }, 'the other copies were not told how far the spool is')
  const spools = await Spools.open({ spool, db, gate, report })
  app.addHook('onClose', () => spools.close())
  return spools
}

/** What the systems of issuers call, and what helps their engineers to make those calls. */
async function connectIssuers(app: App, intake: Intake, access: IssuerAccess, links: Links): Promise<void> {
  integrationRoutes(app, intake.db, intake.spool, links)
  await trackingRoutes(app, intake, access)
}

/** The landing page and the legal texts at their addresses, the application at all the others. */
async function servePages(app: App, db: Db, config: Config): Promise<void> {
  landingRoutes(app, db, config)
  loginPage(app, db, config)
  legalRoutes(app, config)
  await serveWeb(app, config)
}

/** What tells who a bearer or a key is, and how to forget all of it. */
function whoIsWho(door: Db, { secret }: Config) {
  const identities = new Identities(door)
  const apiKeys = new ApiKeys(door, secret)
  const forget = () => {
    identities.clear()
    apiKeys.clear()
  }
  return { tokens: new AccessTokens(secret), identities, apiKeys, forget, andForget: forgetting(forget) }
}

/** Other copies of the server change who people are, too. */
async function followChanges(
  app: App,
  { databaseUrl, gate, apiKeys, forget }: { databaseUrl: string; gate: Gate; apiKeys: ApiKeys; forget: () => void },
): Promise<void> {
  const viewerChanges = listen(databaseUrl, 'viewer_change', forget, forget)
  if (gate.isOpen) await viewerChanges.connected
  app.addHook('onClose', () => viewerChanges.close())
  app.addHook('onClose', () => apiKeys.settle())
}

/** What `serve()` finds on the app, and the language of its refusals. */
function prepare(
  app: App,
  parts: Pick<App, 'checkAnswers' | 'findViewer' | 'limitViewer' | 'once' | 'answerWithinMs'>,
): void {
  speakSpanish()
  app.decorate('served', [])
  app.decorate('checkAnswers', parts.checkAnswers)
  app.decorate('findViewer', parts.findViewer)
  app.decorate('limitViewer', parts.limitViewer)
  app.decorate('once', parts.once)
  app.decorate('answerWithinMs', parts.answerWithinMs)
  app.decorateRequest('viewer', null)
}

/** How answers travel: to which origins, how small. */
async function registerTransport(app: App, config: Config): Promise<void> {
  // Its hook looks at every request, clicks included.
  if (config.corsOrigins.length)
    await app.register(cors, {
      origin: config.corsOrigins,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      exposedHeaders: ['Retry-After', 'Content-Disposition'],
      credentials: false,
      maxAge: 600,
      strictPreflight: false,
    })
  // A page of a list, 40 kB, is compressed at once in 0.3 ms of everybody's time; by way of a stream it takes one more.
  await app.register(compress, { threshold: 2048, syncThreshold: 65_536, encodings: ['br', 'gzip'] })
}

async function findViewer(
  tokens: AccessTokens,
  identities: Identities,
  request: FastifyRequest,
): Promise<Viewer | undefined> {
  const [scheme, token] = request.headers.authorization?.split(' ') ?? []
  if (scheme?.toLowerCase() !== 'bearer' || !token) return undefined
  const sessionId = await tokens.verify(token)
  const identity = sessionId && (await identities.find(sessionId))
  return identity ? { ...identity, requestId: request.id, address: request.ip } : undefined
}

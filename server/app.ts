import type { FastifyInstance } from 'fastify'
import { speakSpanish } from '#contract/spanish.ts'
import { connect, type Db, queriesOver } from '#db/connect.ts'
import { listen } from '#db/listen.ts'
import type { ConnectOptions } from '#db/pool.ts'
import { accessLinkRoutes } from './access-links/routes.ts'
import { adjustmentRoutes } from './adjustments/routes.ts'
import { affiliateRoutes } from './affiliates/routes.ts'
import { logHead } from './audit-log/chain.ts'
import { auditLogRoutes } from './audit-log/routes.ts'
import { loginPage } from './auth/login-page.ts'
import { authRoutes } from './auth/routes.ts'
import { Throttle } from './auth/throttle.ts'
import { AccessTokens, viewerOf } from './auth/tokens.ts'
import { reportRoutes } from './boards/routes.ts'
import { Links } from './clicks/links.ts'
import { redirectRoutes } from './clicks/redirect.ts'
import { commissionRoutes } from './commissions/routes.ts'
import { ApiKeys } from './companies/api-keys.ts'
import type { Config } from './config.ts'
import { dashboardRoutes } from './dashboards/routes.ts'
import { Dialer } from './deliveries/dial.ts'
import { deliveryRoutes } from './deliveries/routes.ts'
import { ReceiverSecrets } from './deliveries/secrets.ts'
import { DELIVERIES_POOL, Sender } from './deliveries/sender.ts'
import { documentApi } from './docs/docs.ts'
import { eventStepRoutes } from './event-steps/routes.ts'
import { digestKeyOf } from './events/intake.ts'
import { trackingRoutes } from './events/routes.ts'
import { EVENTS_POOL, EventStore } from './events/store.ts'
import { explainRoutes } from './explain/routes.ts'
import { PATIENCE, type Patience } from './exports/export.ts'
import { exportRoutes } from './exports/routes.ts'
import { healthRoutes } from './health.ts'
import { holdRoutes } from './holds/routes.ts'
import { serveAliases } from './http/aliases.ts'
import { guardApi, newFastify, refuseOtherMethods, registerTransport } from './http/framework.ts'
import { type App, decorate } from './http/http.ts'
import { createOnce } from './http/idempotency.ts'
import { createIssuerLimit, createReadLimit, createViewerLimit } from './http/limits.ts'
import { serveWeb } from './http/web.ts'
import { importRoutes } from './imports/routes.ts'
import { importAndRest } from './imports/work.ts'
import { integrationRoutes } from './integration/routes.ts'
import { issuerRoutes } from './issuers/routes.ts'
import { keyReaderOf } from './key-reader.ts'
import { landingRoutes } from './landing/routes.ts'
import { mergePartitions, tendPartitions } from './leads/partitions.ts'
import { leadRoutes } from './leads/routes.ts'
import { fileStatesAndRest } from './leads/states.ts'
import { ledgerRoutes } from './ledger/routes.ts'
import { legalRoutes } from './legal/routes.ts'
import { sendAndRest } from './mail/post.ts'
import { mailRoutes } from './mail/routes.ts'
import { type Measures, unmeasured } from './monitoring/measures.ts'
import { measureRequests } from './monitoring/requests.ts'
import { NetworkKeys } from './network-keys/network-keys.ts'
import { networkKeyRoutes } from './network-keys/routes.ts'
import { writeAndRest } from './notices/letters.ts'
import { announceRefused } from './notices/refused.ts'
import { noticeRoutes } from './notices/routes.ts'
import { announceSilence } from './notices/silence.ts'
import { UnsubscribeTokens } from './notices/unsubscribe.ts'
import { unsubscribePage } from './notices/unsubscribe-page.ts'
import { paymentRoutes } from './payments/routes.ts'
import { peopleRoutes } from './people/routes.ts'
import { retainAndRest } from './privacy/retention.ts'
import { privacyRoutes } from './privacy/routes.ts'
import { announceLinkFaults } from './products/link-faults.ts'
import { productRoutes } from './products/routes.ts'
import { rateRoutes } from './rates/routes.ts'
import { Readiness } from './readiness.ts'
import { receiverRoutes } from './receivers/routes.ts'
import { Recurring, type Task } from './recurring.ts'
import { relationshipRoutes } from './relationships/routes.ts'
import { foldResultsAndRest } from './results/fold.ts'
import { resultRoutes } from './results/routes.ts'
import { rulingRoutes } from './rulings/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { Codes } from './second-factors/codes.ts'
import { Passkeys } from './second-factors/passkeys.ts'
import { secondFactorRoutes } from './second-factors/routes.ts'
import { tendSequences } from './sequences.ts'
import { Spools } from './spool/copies.ts'
import { type ClickServer, openClickServer } from './start/click-server.ts'
import { termRoutes } from './terms/routes.ts'
import { foldAndRest } from './totals/fold.ts'
import { userRoutes } from './users/routes.ts'
import { refuseNamesIn } from './users/weak-passwords.ts'
import { forgetting, Identities } from './viewer.ts'

export interface Dependencies {
  db: Db
  config: Config
  /** For the connection that listens for changes made by other copies of the server. */
  databaseUrl: string
  /** Already answers clicks; opened here when left out; closed with the app. */
  clickServer?: ClickServer
  /** Until ready, clicks are served from our disk, and nothing else is. Ready when left out. */
  readiness?: Readiness
  /** Nothing is measured when left out. */
  measures?: Measures
  checkAnswers?: boolean
  /** Background work that is left undone, by what is said when it fails; for tests, which start many servers. */
  undone?: readonly string[]
  answerWithinMs?: number
  exportPatience?: Patience
}

/** An answer may need several statements: this is 5 s for a connection and 15 s, the limit of one statement. */
const ANSWER_WITHIN_MS = 20_000

/** The whole server, from the top: its connections, who asks, what it answers, and its background work. */
export async function buildApp(dependencies: Dependencies): Promise<FastifyInstance> {
  const { db, config, databaseUrl, readiness = Readiness.ready(), measures = unmeasured } = dependencies
  const clickServer = dependencies.clickServer ?? (await openClickServer({ config, databaseUrl, readiness, measures }))
  const app = newFastify(config, clickServer.server)
  clickServer.log.passTo(app.log)
  app.addHook('onClose', () => clickServer.close())
  const reportAs = (what: string) => (err: unknown) => app.log.error({ err }, what)

  const authDb = queriesOver(clickServer.authPool)
  const exportDb = openPoolFor(app, databaseUrl, 'exports', EXPORT_POOL)
  const eventsDb = openPoolFor(app, databaseUrl, 'events', EVENTS_POOL)
  const deliveriesDb = openPoolFor(app, databaseUrl, 'deliveries', DELIVERIES_POOL)
  const pools = [exportDb, eventsDb, deliveriesDb]
  app.addHook('onClose', async () => void (await Promise.all(pools.map((pool) => pool.destroy()))))
  const spoolReport = reportAs('the other copies do not know how far the spool is')
  const spools = await Spools.open({ spool: clickServer.spool, db: authDb, readiness, report: spoolReport })
  app.addHook('onClose', () => spools.close())

  const [tokens, identities] = [new AccessTokens(config.secret), new Identities(authDb)]
  const [apiKeys, networkKeys] = [new ApiKeys(authDb, config.secret), new NetworkKeys(authDb, config.secret)]
  const forget = () => {
    identities.clear()
    apiKeys.clear()
    networkKeys.clear()
  }
  const andForget = forgetting(forget)
  // Other copies of the server change who people are, too.
  const viewerChanges = listen(databaseUrl, 'viewer_change', forget, forget)
  if (readiness.isReady) await viewerChanges.connected
  app.addHook('onClose', () => viewerChanges.close())
  app.addHook('onClose', async () => void (await Promise.all([apiKeys.settle(), networkKeys.settle()])))

  speakSpanish()
  refuseNamesIn(config.publicUrl)
  decorate(app, {
    checkAnswers: dependencies.checkAnswers ?? false,
    findViewer: (request) => viewerOf(request, tokens, identities),
    findKeyReader: (request, key) => keyReaderOf(request, key, { apiKeys, networkKeys }),
    limitViewer: createViewerLimit(config.requestsPerSecond),
    limitKeyReader: createReadLimit(),
    once: createOnce(db, config.secret),
    answerWithinMs: dependencies.answerWithinMs ?? ANSWER_WITHIN_MS,
  })
  await app.register(redirectRoutes, clickServer.clicks)
  measureRequests(app, measures)
  app.addHook('onRequest', guardApi(readiness))
  await registerTransport(app, config)
  await documentApi(app, config.publicUrl)
  serveAliases(app)

  const links = new Links(config.publicUrl)
  healthRoutes(app, db, clickServer.spool, readiness, config)
  const throttle = new Throttle(authDb, config.secret)
  const delivery = { mails: config.mailing !== undefined, publicUrl: config.publicUrl }
  const factors = { codes: new Codes(config.secret), passkeys: new Passkeys(config.publicUrl) }
  authRoutes(app, authDb, { throttle, tokens, identities, config, factors })
  secondFactorRoutes(app, authDb, factors, andForget)
  accessLinkRoutes(app, { db: authDb, throttle, identities, delivery })
  userRoutes(app, db, delivery, andForget)
  peopleRoutes(app, { db, delivery, isOpen: config.selfServicePeople, andForget })
  mailRoutes(app, db)
  noticeRoutes(app, db, delivery.mails)
  affiliateRoutes(app, db, apiKeys, andForget)
  issuerRoutes(app, db, apiKeys, config.issuerDirectory, andForget)
  relationshipRoutes(app, db)
  productRoutes(app, db, links)
  eventStepRoutes(app, db)
  commissionRoutes(app, db)
  rateRoutes(app, db)
  paymentRoutes(app, db)
  adjustmentRoutes(app, db)
  ledgerRoutes(app, db)
  leadRoutes(app, db)
  rulingRoutes(app, db)
  termRoutes(app, db)
  holdRoutes(app, db)
  explainRoutes(app, db)
  dashboardRoutes(app, db, config.dashboardOrigins)
  reportRoutes(app, db)
  resultRoutes(app, db)
  auditLogRoutes(app, db)
  privacyRoutes(app, db)
  searchRoutes(app, db, config.issuerDirectory)
  const { exportPatience: patience = PATIENCE } = dependencies
  exportRoutes(app, { db, reader: exportDb, patience, links, directory: config.issuerDirectory })
  const digestKey = digestKeyOf(config.secret)
  importRoutes(app, { db, megabytes: config.importMegabytes, digestKey }, config.importUndoDays)
  integrationRoutes(app, { db, spool: spools, digestKey }, links)
  const limitIssuer = createIssuerLimit(config.requestsPerSecond)
  const intake = { db, events: new EventStore(eventsDb), spool: spools, measures, digestKey }
  await trackingRoutes(app, intake, { apiKeys, limitIssuer })
  const dialer = new Dialer({ ownHost: new URL(config.publicUrl).hostname, loopback: config.deliverToLoopback })
  const secrets = new ReceiverSecrets(config.secret)
  networkKeyRoutes(app, db, networkKeys, andForget)
  receiverRoutes(app, { db, dialer, secrets })
  deliveryRoutes(app, db)
  refuseOtherMethods(app)
  landingRoutes(app, db, config)
  loginPage(app, db, config)
  legalRoutes(app, config)
  const unsubscribing = new UnsubscribeTokens(config.secret)
  unsubscribePage(app, { db, tokens: unsubscribing, publicUrl: config.publicUrl })
  await serveWeb(app, config)

  const closing = new AbortController()
  const { undone = [] } = dependencies
  const service = (what: string, pauseMs: number, run: Task['run']) =>
    undone.includes(what) ? [] : [new Recurring({ readiness, pauseMs, report: reportAs(what), run })]
  const onErased = (rows: Record<string, number>) => app.log.info({ rows }, 'retention: erased')
  const onAdvanced = (names: string[]) => app.log.warn({ names }, 'sequences were behind the ids in use: advanced')
  const tend = async () => (await tendPartitions(db, { databaseUrl, signal: closing.signal })).restMs
  const merge = async () => (await mergePartitions(db, { databaseUrl, signal: closing.signal })).restMs
  const { mailing } = config
  const letters = { publicUrl: config.publicUrl, tokens: unsubscribing }
  const post = mailing && { db, mailing, ...letters, report: reportAs('mail: not sent'), signal: closing.signal }
  const sender = new Sender({ db: deliveriesDb, dialer, secrets, report: reportAs('deliveries: not noted'), measures })
  const services = [
    service('deliveries: not sent', 1_000, (failed) => sender.run(failed)),
    ...(post
      ? [
          service('mail: not looked at', 10_000, () => sendAndRest(post)),
          service('notices: not mailed', 10_000, () => writeAndRest(db)),
        ]
      : []),
    service('partitions of leads: not tended', 10_000, tend),
    service('partitions of leads: not merged', 10_000, merge),
    service('totals: not folded', 10_000, () => foldAndRest(db)),
    service('results: not folded', 10_000, () => foldResultsAndRest(db)),
    service('states of leads: not filed', 10_000, () => fileStatesAndRest(db)),
    service('files of issuers: not worked on', 10_000, () => importAndRest(db)),
    service('head of the audit chain: not read', 60_000, () => logHead(db, app.log)),
    service('retention: not applied', 60_000, (onFailed) =>
      retainAndRest(db, config.retention, { onDone: onErased, onFailed }),
    ),
    service('silent issuers: not looked for', 60_000, () => announceSilence(db)),
    service('faulty links: not told', 60_000, () => announceLinkFaults(db)),
    service('refused events: not told', 60_000, () => announceRefused(db)),
    service('sequences: not looked at', 1_000, () => tendSequences(db, onAdvanced)),
  ].flat()
  app.addHook('onClose', async () => {
    closing.abort()
    await Promise.all(services.map((service) => service.close()))
    await sender.close()
  })
  await app.ready()
  clickServer.clicks.direct.handOver(app.routing)
  return app
}

/**
 * A search through every lead may take longer than the queries of a screen. At most `max` exports at a time; one more
 * waits for a connection, then gets a 503.
 */
const EXPORT_POOL = { max: 4, statementTimeoutMs: 120_000 }

/** A pool for one purpose, apart from that of the screens. */
function openPoolFor(app: App, databaseUrl: string, purpose: string, options: ConnectOptions): Db {
  // While closing, PostgreSQL may stop before the last idle connection is closed.
  const onError = (err: Error) => app.server.listening && app.log.warn({ err }, `connection of the ${purpose} lost`)
  return connect(databaseUrl, { ...options, role: 'afluente_app', applicationName: `afluente ${purpose}`, onError })
}

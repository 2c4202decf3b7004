import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { Role, roleLabels } from '#contract/roles.ts'
import { type ClusterAtRest, openCluster } from '#db/cluster.ts'
import type { Db } from '#db/connect.ts'
import { holdFolder } from '#db/folder-lock.ts'
import { fileError, messageOf, OperatorError } from '#db/operator-error.ts'
import { serverUrlOf } from '#db/server-role.ts'
import { type Config, type Env, readConfig } from '../config.ts'
import { type Measures, unmeasured } from '../monitoring/measures.ts'
import { Readiness } from '../readiness.ts'
import { type ClickServer, openClickServer } from './click-server.ts'
import { expectFreePort } from './port.ts'
import type { Prepared } from './preparation.ts'
import { keepSecret } from './secret.ts'

const APP_ROLE = 'afluente_app'
const POOL_SIZE = 20
const PATIENCE_MS = 5_000
const STOP_MS = 9_500

/** What was started, to be undone in reverse. */
const started: { name: string; stop: () => Promise<unknown> | unknown }[] = []
let cluster: ClusterAtRest | undefined
let stopping = false
const unwanted = new AbortController()
let starting: Promise<void>

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}
let report = say

/** Signals wait for the step under way, so that nothing half-started is left behind. */
class Interrupted extends Error {}
function expectWanted(): void {
  if (stopping) throw new Interrupted()
}

async function stopAll(): Promise<void> {
  for (const part of started.splice(0).reverse()) {
    try {
      await part.stop()
    } catch (error) {
      say(`Al cerrar (${part.name}): ${messageOf(error)}`)
      process.exitCode = 1
    }
  }
}

/** A server that cannot stop in time exits anyway; what it acknowledged is on the disk. */
async function leave(code: number): Promise<never> {
  const late = wait(STOP_MS, 'late' as const, { ref: false })
  if ((await Promise.race([stopAll(), late])) === 'late') {
    say('El cierre tardó demasiado: se termina sin esperar más.')
    cluster?.kill()
    process.exit(1)
  }
  process.exit(process.exitCode ?? code)
}

/** The owner's URL of the database, which may not be running yet. */
async function findDatabase(config: Config): Promise<string> {
  if (config.databaseUrl) return config.databaseUrl
  const opened = await openCluster({ dataDir: config.dataDir, log: (message) => report(message) })
  cluster = opened
  started.push({ name: 'PostgreSQL', stop: () => opened.stop() })
  return opened.url
}

async function startDatabase(): Promise<void> {
  if (!cluster) return
  say('Iniciando PostgreSQL…')
  await Promise.race([cluster.start(), abandoned()])
}

/** Repairing a database takes too long for a signal to wait, and can be interrupted. */
async function abandoned(): Promise<never> {
  await once(unwanted.signal, 'abort')
  await wait(PATIENCE_MS, undefined, { ref: false })
  throw new Interrupted()
}

function openPool(url: string, connect: typeof import('#db/connect.ts').connect): Db {
  const onError = (error: Error) => {
    // While closing, PostgreSQL may stop before the last idle connection is closed.
    if (!stopping) report(`Se perdió una conexión con PostgreSQL: ${error.message}`)
  }
  const db = connect(url, { max: POOL_SIZE, role: APP_ROLE, onError })
  started.push({ name: 'conexiones', stop: () => db.destroy() })
  return db
}

/** A client that finds the queue of new connections full retries after a second; Node's default, 511, fills in a moment. */
const BACKLOG = 4096

/** Once it returns, clicks are answered; other requests wait. */
async function receive(needs: Parameters<typeof openClickServer>[0]): Promise<ClickServer> {
  const clickServer = await openClickServer(needs)
  started.push({ name: 'clics', stop: () => clickServer.close().finally(() => clickServer.log.endWith(say)) })
  const { host, port } = needs.config
  await once(clickServer.server.listen({ host, port, backlog: BACKLOG }), 'listening')
  return clickServer
}

function announce(config: Config, { demoAccounts, suspended, admin }: Prepared): void {
  say(`\nAfluente está listo en ${config.publicUrl}\n`)
  if (suspended.length)
    say(`Cuentas de la demostración suspendidas, porque su contraseña es pública: ${suspended.join(', ')}`)
  for (const account of demoAccounts) {
    say(`  ${roleLabels[Role.parse(account.role)].padEnd(14)} ${account.email}  contraseña: ${account.password}`)
  }
  if (!admin) return
  say(`Administrador: ${admin.email}`)
  if (admin.generated) say(`Contraseña de un solo uso (no se vuelve a mostrar; cámbiela al entrar): ${admin.password}`)
}

/** Loaded only when configured: loading takes time. */
async function openMetrics({ metrics }: Config, databaseUrl: string): Promise<Measures | undefined> {
  if (!metrics) return undefined
  await expectFreePort(metrics.host, metrics.port)
  const { Prometheus } = await import('../monitoring/prometheus.ts')
  const { serveMetrics } = await import('../monitoring/page.ts')
  const prometheus = new Prometheus({ databaseUrl, restarts: () => cluster?.restarts() ?? 0 })
  started.push({ name: 'métricas', stop: () => prometheus.close() })
  const page = await serveMetrics(prometheus.registry, metrics)
  started.push({ name: 'página de métricas', stop: () => page.close() })
  return prometheus
}

/**
 * Clicks are served before the rest of the program is loaded and before the database is there: their links are on our
 * disk, and the spool takes the leads.
 */
async function start(env: Env): Promise<void> {
  const settings = readConfig(env)
  const release = holdFolder(settings.dataDir, 'server.lock', { refuseCopy: true })
  started.push({ name: 'carpeta de datos', stop: release })
  const config = { ...settings, secret: settings.secret || keepSecret(settings.dataDir) }
  await expectFreePort(config.host, config.port)
  const ownerUrl = await findDatabase(config)
  const databaseUrl = config.databaseAppUrl ?? serverUrlOf(ownerUrl, config.secret)
  const readiness = new Readiness()
  const measures = (await openMetrics(config, databaseUrl)) ?? unmeasured
  const clickServer = await receive({ config, databaseUrl, readiness, measures })
  const { buildApp, connect, prepareDatabase } = await loadTheRest()
  const db = openPool(databaseUrl, connect)
  const app = await buildApp({ db, config, databaseUrl, readiness, measures, clickServer })
  started.push({ name: 'servidor', stop: () => app.close() })
  const { signal } = unwanted
  const urls = { ownerUrl, databaseUrl }
  const prepared = await prepareDatabase({ db, ...urls, config, startDatabase, say, expectWanted, signal })
  expectWanted()
  await clickServer.clicks.join(prepared.history)
  readiness.declareReady()
  clickServer.admission.begin()
  const { length: suspended } = prepared.suspended
  if (suspended) app.log.warn({ suspended }, 'demonstration accounts suspended')
  announce(config, prepared)
  // Node writes it at exit, which a killed process never reaches.
  flushCompileCache()
  if (config.logLevel !== 'silent') report = (message) => app.log.warn(message)
}

/** The modules that take longest to load, then everything. */
const REST = ['kysely', 'fastify', 'jose', '../exports/routes.ts', '../docs/docs.ts', '../app.ts', './preparation.ts']
/** Long enough for the clicks that have arrived to reach the disk. */
const LOAD_PAUSE_MS = 10

/** In pieces: loading a module blocks everything else, and clicks already arrive. */
async function loadTheRest() {
  for (const part of REST) {
    await wait(LOAD_PAUSE_MS)
    expectWanted()
    await import(part)
  }
  return {
    ...(await import('../app.ts')),
    ...(await import('#db/connect.ts')),
    ...(await import('./preparation.ts')),
  }
}

function onSignal(): void {
  if (stopping) {
    cluster?.kill()
    process.exit(130)
  }
  stopping = true
  unwanted.abort()
  say('Cerrando…')
  // While starting, the step under way ends first, and `Interrupted` ends the start.
  starting.then(() => leave(0))
}

function fail(reason: unknown): void {
  const error = fileError(reason)
  if (error instanceof Interrupted) return
  say(error instanceof OperatorError ? error.message : String(error instanceof Error ? error.stack : error))
  process.exitCode = 1
}

/** The whole life of the process. */
export function run(env: Env): void {
  starting = start(env).catch(async (error) => {
    fail(error)
    await leave(0)
  })
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal)
  // The channel to the starter; when that is killed, nobody else would stop us.
  process.on('disconnect', onSignal)
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error) => {
      fail(error)
      if (!stopping) onSignal()
    })
  }
}

import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { Role, roleLabels } from '#contract/roles.ts'
import { type ClusterAtRest, openCluster } from '#db/cluster.ts'
import type { Db } from '#db/connect.ts'
import { holdFolder } from '#db/folder-lock.ts'
import { fileError, messageOf, OperatorError } from '#db/operator-error.ts'
import { type Config, type Env, readConfig } from '../config.ts'
import { type Measures, unmeasured } from '../monitoring/measures.ts'
import { type Front, openFront } from './front.ts'
import { Gate } from './gate.ts'
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

/** A server that cannot finish in time leaves anyway; what it acknowledged is on the disk. */
async function leave(code: number): Promise<never> {
  const late = wait(STOP_MS, 'late' as const, { ref: false })
  if ((await Promise.race([stopAll(), late])) === 'late') {
    say('El cierre tardó demasiado: se termina sin esperar más.')
    cluster?.kill()
    process.exit(1)
  }
  process.exit(process.exitCode ?? code)
}

/** Where the database is or will be. */
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

/** Repairing a database takes too long for a signal to wait, and stands being cut short. */
async function abandoned(): Promise<never> {
  await once(unwanted.signal, 'abort')
  await wait(PATIENCE_MS, undefined, { ref: false })
  throw new Interrupted()
}

function openPool(url: string, connect: typeof import('#db/connect.ts').connect): Db {
  const onError = (error: Error) => {
    // While closing, PostgreSQL may leave before the last idle connection has.
    if (!stopping) report(`Se perdió una conexión con PostgreSQL: ${error.message}`)
  }
  const db = connect(url, { max: POOL_SIZE, role: APP_ROLE, onError })
  started.push({ name: 'conexiones', stop: () => db.destroy() })
  return db
}

/** From when it returns clicks are answered; all else waits. */
async function receive(needs: Parameters<typeof openFront>[0]): Promise<Front> {
  const front = await openFront(needs)
  started.push({ name: 'clics', stop: () => front.close().finally(() => front.log.endWith(say)) })
  const { host, port } = needs.config
  await once(front.server.listen({ host, port }), 'listening')
  return front
}

function announce(config: Config, { demoAccounts, admin }: Prepared): void {
  say(`\nAfluente está listo en ${config.publicUrl}\n`)
  for (const account of demoAccounts) {
    say(`  ${roleLabels[Role.parse(account.role)].padEnd(14)} ${account.email}  contraseña: ${account.password}`)
  }
  if (!admin) return
  say(`Administrador: ${admin.email}`)
  if (admin.generated) say(`Contraseña de un solo uso (no se vuelve a mostrar; cámbiela al entrar): ${admin.password}`)
}

/** Loaded only when asked for: it is not free. */
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
 * Clicks are served before the rest of the program is loaded, and before the database is there: their links are known
 * from before, and the spool takes the leads.
 */
async function start(env: Env): Promise<void> {
  const settings = readConfig(env)
  const config = { ...settings, secret: settings.secret || keepSecret(settings.dataDir) }
  const release = holdFolder(config.dataDir, 'server.lock')
  started.push({ name: 'carpeta de datos', stop: release })
  await expectFreePort(config.host, config.port)
  const databaseUrl = await findDatabase(config)
  const gate = new Gate()
  const measures = (await openMetrics(config, databaseUrl)) ?? unmeasured
  const front = await receive({ config, databaseUrl, gate, measures })
  const { buildApp, connect, prepareInTheEnd } = await loadTheRest()
  const db = openPool(databaseUrl, connect)
  const app = await buildApp({ db, config, databaseUrl, gate, measures, front })
  started.push({ name: 'servidor', stop: () => app.close() })
  const { signal } = unwanted
  const prepared = await prepareInTheEnd({ db, databaseUrl, config, startDatabase, say, expectWanted, signal })
  expectWanted()
  gate.open()
  announce(config, prepared)
  // Node would write it at the end, which a killed process does not have.
  flushCompileCache()
  if (config.logLevel !== 'silent') report = (message) => app.log.warn(message)
}

/** Those that take longest to load, and in the end all of it. */
const REST = ['kysely', 'fastify', 'jose', '../exports/routes.ts', '../docs/docs.ts', '../app.ts', './preparation.ts']
/** Long enough for the clicks that have come in to reach the disk. */
const BREATH_MS = 10

/** In pieces: while a module loads nothing else happens, and clicks come in already. */
async function loadTheRest() {
  for (const part of REST) {
    await wait(BREATH_MS)
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
  // While starting, the step under way ends first and `Interrupted` brings us to the same place.
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
  // The starter hands over with a channel; when it dies without a word, nobody could stop us any more.
  process.on('disconnect', onSignal)
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error) => {
      fail(error)
      if (!stopping) onSignal()
    })
  }
}

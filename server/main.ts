import { setTimeout as wait } from 'node:timers/promises'
import { Role, roleLabels } from '#contract/roles.ts'
import { type Cluster, startCluster } from '#db/cluster.ts'
import { connect, type Db } from '#db/connect.ts'
import { holdFolder } from '#db/folder-lock.ts'
import { migrate } from '#db/migrate.ts'
import { codeOf, fileError, messageOf, OperatorError } from '#db/operator-error.ts'
import { buildApp } from './app.ts'
import { listDemoAccounts } from './auth/demo-accounts.ts'
import { type Config, type Env, readConfig } from './config.ts'
import { isEmpty, seedDemo } from './demo/seed.ts'
import { type FirstAdmin, makeFirstAdmin } from './first-admin.ts'
import { expectFreePort } from './port.ts'
import { keepSecret } from './secret.ts'

const APP_ROLE = 'afluente_app'
const POOL_SIZE = 20
const STOP_MS = 9_500

/** What was started, to be undone in reverse. */
const started: { name: string; stop: () => Promise<unknown> | unknown }[] = []
let cluster: Cluster | undefined
let stopping = false

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

async function openDatabase(config: Config): Promise<string> {
  if (config.databaseUrl) return config.databaseUrl
  say('Iniciando PostgreSQL…')
  cluster = await startCluster({ dataDir: config.dataDir, log: (message) => report(message) })
  started.push({ name: 'PostgreSQL', stop: () => cluster?.stop() })
  return cluster.url
}

const CONNECTION_FAULTS: Record<string, string> = {
  ECONNREFUSED: 'nadie responde en esa dirección',
  ENOTFOUND: 'ese equipo no existe',
  ETIMEDOUT: 'no responde',
  '28P01': 'el usuario o la contraseña no son correctos',
  '28000': 'el usuario no puede entrar',
  '3D000': 'esa base de datos no existe',
}

async function prepare(url: string): Promise<void> {
  try {
    const applied = await migrate(url)
    if (applied.length > 0) say(`Base de datos al día: ${applied.join(', ')}.`)
  } catch (error) {
    const fault = CONNECTION_FAULTS[codeOf(error) ?? '']
    throw fault ? new OperatorError(`No se puede usar DATABASE_URL: ${fault}.`, { cause: error }) : error
  }
}

function openPool(url: string): Db {
  const onError = (error: Error) => {
    // While closing, PostgreSQL may leave before the last idle connection has.
    if (!stopping) report(`Se perdió una conexión con PostgreSQL: ${error.message}`)
  }
  const db = connect(url, { max: POOL_SIZE, role: APP_ROLE, onError })
  started.push({ name: 'conexiones', stop: () => db.destroy() })
  return db
}

async function serve(db: Db, config: Config, databaseUrl: string): Promise<void> {
  const app = await buildApp({ db, config, databaseUrl })
  started.push({ name: 'servidor', stop: () => app.close() })
  await app.listen({ host: config.host, port: config.port })
  if (config.logLevel === 'silent') return
  report = (message) => {
    app.log.warn(message)
  }
}

async function announce(db: Db, config: Config, admin: FirstAdmin | undefined): Promise<void> {
  say(`\nAfluente está listo en ${config.publicUrl}\n`)
  for (const account of await listDemoAccounts(db, config.demo)) {
    say(`  ${roleLabels[Role.parse(account.role)].padEnd(14)} ${account.email}  contraseña: ${account.password}`)
  }
  if (!admin) return
  say(`Administrador: ${admin.email}`)
  if (admin.generated) say(`Contraseña de un solo uso (no se vuelve a mostrar; cámbiela al entrar): ${admin.password}`)
}

async function start(env: Env): Promise<void> {
  const settings = readConfig(env)
  const config = { ...settings, secret: settings.secret || keepSecret(settings.dataDir) }
  const release = holdFolder(config.dataDir, 'server.lock')
  started.push({ name: 'carpeta de datos', stop: release })
  await expectFreePort(config.host, config.port)
  expectWanted()
  const databaseUrl = await openDatabase(config)
  expectWanted()
  await prepare(databaseUrl)
  expectWanted()
  const db = openPool(databaseUrl)
  if (config.demo && (await isEmpty(db))) {
    say('Preparando datos de demostración…')
    await seedDemo(db, config)
    expectWanted()
  }
  const admin = await makeFirstAdmin(db, config)
  expectWanted()
  await serve(db, config, databaseUrl)
  expectWanted()
  await announce(db, config, admin)
}

function onSignal(): void {
  if (stopping) {
    cluster?.kill()
    process.exit(130)
  }
  stopping = true
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

const starting = start(process.env).catch(async (error) => {
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

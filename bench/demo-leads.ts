// npm run demo:leads -- --leads N [--seed S]: fills a demonstration with N leads, their events and entries.
import { statfsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Cluster, startCluster } from '#db/cluster.ts'
import { connect } from '#db/connect.ts'
import { holdFolder } from '#db/folder-lock.ts'
import { migrate } from '#db/migrate.ts'
import { codeOf, fileError, OperatorError } from '#db/operator-error.ts'
import { type Config, readConfig } from '#server/config.ts'
import { isEmpty, seedDemo } from '#server/demo/seed.ts'
import { keepSecret } from '#server/start/secret.ts'
import { loadLeads } from './leads/load.ts'
import { duration, grouped, Progress } from './leads/progress.ts'

const MOST = 50_000_000
/** On the disk, with its events, entries and all indexes; measured. */
const BYTES_PER_LEAD = 1_600
/** The write-ahead log beside them, until it has grown to the limit that it gets below. */
const LOG_BYTES_PER_LEAD = 2_000
const LOG_BYTES = 5 * 2 ** 30

const say = (text: string) => process.stdout.write(`${text}\n`)

function readOptions(): { leads: number; seed: number } {
  const { values } = parseArgs({ options: { leads: { type: 'string' }, seed: { type: 'string', default: '1' } } })
  return { leads: whole('--leads', values.leads, MOST), seed: whole('--seed', values.seed, 2 ** 31) }
}

function whole(name: string, text: string | undefined, most: number): number {
  if (text && /^\d{1,10}$/.test(text) && Number(text) >= 1 && Number(text) <= most) return Number(text)
  throw new OperatorError(`Falta ${name}: un número entero de 1 a ${grouped(most)}. npm run demo:leads -- --leads N`)
}

function expectSpace(folder: string, leads: number): void {
  const { bavail, bsize } = statfsSync(folder)
  const [free, needed] = [bavail * bsize, leads * BYTES_PER_LEAD + Math.min(leads * LOG_BYTES_PER_LEAD, LOG_BYTES)]
  const gigabytes = (bytes: number) => (bytes / 2 ** 30).toFixed(1)
  if (free < needed)
    throw new OperatorError(
      `No cabe: hacen falta ${gigabytes(needed)} GB y en ${folder} quedan ${gigabytes(free)} GB libres.`,
    )
}

async function fill(config: Config, url: string, options: { leads: number; seed: number }): Promise<void> {
  await migrate(url)
  if (config.demo) {
    const db = connect(url, { max: 1, applicationName: 'demo', onError: () => undefined })
    if (await isEmpty(db)) await seedDemo(db, config)
    await db.destroy()
  }
  const started = Date.now()
  const progress = new Progress(options.leads)
  const loaded = await loadLeads(url, {
    ...options,
    secret: config.secret,
    onProgress: progress.show,
    expectWanted: () => {
      if (interrupted) throw new OperatorError('Interrumpido: la base de datos quedó como estaba.')
    },
  }).finally(progress.end)
  const parts = [
    `${grouped(loaded.leads)} leads`,
    `${grouped(loaded.events)} eventos`,
    `${grouped(loaded.entries)} comisiones`,
    `${grouped(loaded.payments)} pagos`,
  ]
  say(`Listo en ${duration((Date.now() - started) / 1000)}: ${parts.join(', ')}.`)
}

let interrupted = false

async function run(): Promise<void> {
  const options = readOptions()
  const settings = readConfig(process.env)
  const config = { ...settings, secret: settings.secret || keepSecret(settings.dataDir) }
  if (config.databaseUrl) return fill(config, config.databaseUrl, options)
  const release = holdFolder(config.dataDir, 'server.lock', { refuseCopy: true })
  let cluster: Cluster | undefined
  try {
    expectSpace(config.dataDir, options.leads)
    // What a crash loses is generated again.
    const flags = { max_wal_size: '4GB', checkpoint_timeout: '15min', synchronous_commit: 'off' }
    cluster = await startCluster({ dataDir: config.dataDir, flags, log: say })
    await fill(config, cluster.url, options)
  } finally {
    await cluster?.stop()
    release()
  }
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => {
    interrupted = true
  })

const LOCKED = '55P03'

await run().catch((reason) => {
  const error =
    codeOf(reason) === LOCKED ? new OperatorError('Otro programa está escribiendo en esta base.') : fileError(reason)
  say(error instanceof OperatorError ? error.message : String(error instanceof Error ? error.stack : error))
  process.exitCode = 1
})

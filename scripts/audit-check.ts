// npm run audit:check [-- NUMBER:HASH]: walks the chain of the audit trail, with the server running or not. Given a head that
// was noted earlier, it also looks whether the chain still has it. Exit code 1 when something is not as it was written.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startCluster } from '#db/cluster.ts'
import { connect } from '#db/connect.ts'
import { embeddedUrl } from '#db/embedded-url.ts'
import { fileError, OperatorError } from '#db/operator-error.ts'
import { endClient, newClient } from '#db/pool.ts'
import { findFault, headOf, readHead, textOf } from '#server/audit-log/chain.ts'
import { readConfig } from '#server/config.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const HOUR_MS = 3_600_000

const answers = async (url: string): Promise<boolean> => {
  const client = newClient(url, 'afluente audit check')
  try {
    await client.connect()
    return true
  } catch {
    return false // not running
  } finally {
    await endClient(client)
  }
}

/** The embedded database, as the server runs it or started for this alone. */
async function withEmbedded(dataDir: string, run: (url: string) => Promise<void>): Promise<void> {
  const data = join(dataDir, 'postgres')
  if (!existsSync(join(data, 'PG_VERSION'))) throw new OperatorError(`No hay base de datos en ${dataDir} (DATA_DIR).`)
  if (existsSync(join(data, 'postmaster.pid')) && (await answers(embeddedUrl(dataDir))))
    return run(embeddedUrl(dataDir))
  const cluster = await startCluster({ dataDir, log: say })
  await run(cluster.url).finally(() => cluster.stop())
}

async function check(url: string): Promise<void> {
  const [text] = process.argv.slice(2)
  const noted = text === undefined ? undefined : headOf(text)
  if (text !== undefined && !noted)
    throw new OperatorError('Lo anotado tiene la forma NÚMERO:HASH, como lo escribe el registro.')
  const db = connect(url, { max: 1, statementTimeoutMs: HOUR_MS, applicationName: 'afluente audit check' })
  try {
    const head = await readHead(db)
    const fault = await findFault(db, noted)
    say(fault ?? 'La bitácora está como se escribió.')
    if (head) say(`Último registro: ${textOf(head)}`)
    if (fault) process.exitCode = 1
  } finally {
    await db.destroy()
  }
}

try {
  const { databaseUrl, databaseAppUrl, dataDir } = readConfig(process.env)
  const url = databaseAppUrl ?? databaseUrl
  await (url ? check(url) : withEmbedded(dataDir, check))
} catch (reason) {
  const error = fileError(reason)
  say(error instanceof OperatorError ? error.message : String(error instanceof Error ? error.stack : error))
  process.exitCode = 1
}

// What the commands of an operator share: the embedded database, plain words for what went wrong.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startCluster } from '#db/cluster.ts'
import { embeddedUrl } from '#db/embedded-url.ts'
import { fileError, messageOf, OperatorError } from '#db/operator-error.ts'
import { endClient, newClient } from '#db/pool.ts'
import { isDatabaseAway } from '#server/http/errors.ts'

export const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const answers = async (url: string): Promise<boolean> => {
  const client = newClient(url, 'afluente command')
  try {
    await client.connect()
    return true
  } catch {
    return false // not running
  } finally {
    await endClient(client)
  }
}

/** Whether the server at this origin takes what it is sent. */
export const isReady = async (origin: string): Promise<boolean> => {
  try {
    return (await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) })).ok
  } catch {
    return false // not listening yet
  }
}

/** The embedded database, as the server runs it or started for this alone. */
export async function withEmbedded(dataDir: string, run: (url: string) => Promise<void>): Promise<void> {
  const data = join(dataDir, 'postgres')
  if (!existsSync(join(data, 'PG_VERSION'))) throw new OperatorError(`No hay base de datos en ${dataDir} (DATA_DIR).`)
  if (existsSync(join(data, 'postmaster.pid')) && (await answers(embeddedUrl(dataDir))))
    return run(embeddedUrl(dataDir))
  const cluster = await startCluster({ dataDir, log: say })
  await run(cluster.url).finally(() => cluster.stop())
}

/** Says in one sentence what an operator can mend; the exit code is then 1. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (reason) {
    const error = fileError(reason)
    if (error instanceof OperatorError) say(error.message)
    else if (isDatabaseAway(error)) say(`No se puede usar la base de datos: ${messageOf(error)}`)
    else say(String(error instanceof Error ? error.stack : error))
    process.exitCode = 1
  }
}

/** The one argument of a command. */
export function folderOf(usage: string): string {
  const [folder, ...others] = process.argv.slice(2)
  if (!folder || others.length) throw new OperatorError(`Se usa así: ${usage}`)
  return folder
}

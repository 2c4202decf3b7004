// npm run restore:mark: for a database that was put back to an earlier state with other means than npm run restore, once,
// before any server uses it. Spools and copies of links from before are then not mixed with what comes after.
import { beginHistory } from '#db/history.ts'
import { migrate } from '#db/migrate.ts'
import { readConfig } from '#server/config.ts'
import { runCommand, say, withEmbedded } from './command.ts'

async function mark(url: string): Promise<void> {
  await migrate(url)
  await beginHistory(url)
  say('Anotado: los clics que quedaron en colas de antes se retendrán en held-….jsonl al iniciar cada servidor.')
}

await runCommand(async () => {
  const { databaseUrl, dataDir } = readConfig(process.env)
  await (databaseUrl ? mark(databaseUrl) : withEmbedded(dataDir, mark))
})

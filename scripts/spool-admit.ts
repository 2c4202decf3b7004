// npm run spool:admit: stores the leads that were held back after a restore, where they name only what was there before.
import { join } from 'node:path'
import { readConfig } from '#server/config.ts'
import { admitHeld } from '#server/spool/admit.ts'
import { runCommand, say, withEmbedded } from './command.ts'

await runCommand(async () => {
  const { databaseUrl, dataDir } = readConfig(process.env)
  const admit = async (url: string) => {
    const { admitted, left } = await admitHeld(url, join(dataDir, 'spool'))
    say(`Guardados: ${admitted}. Retenidos: ${left}, porque nombran algo que ya no existe o que se creó después.`)
  }
  await (databaseUrl ? admit(databaseUrl) : withEmbedded(dataDir, admit))
})

// npm run spool:admit [-- FOLDER]: stores the leads that were held back after a restore, where they name only what was
// there before. With the DATA_DIR of before, what waits in its spool is taken over first.
import { join, resolve } from 'node:path'
import { messageOf, OperatorError } from '#db/operator-error.ts'
import { readConfig } from '#server/config.ts'
import { admitHeld } from '#server/spool/admit.ts'
import { takeOver } from '#server/spool/history.ts'
import { runCommand, say, withEmbedded } from './command.ts'

await runCommand(async () => {
  const { databaseUrl, dataDir } = readConfig(process.env)
  const [old, ...others] = process.argv.slice(2)
  if (others.length) throw new OperatorError('Se usa así: npm run spool:admit [-- CARPETA_ANTERIOR]')
  const folder = join(dataDir, 'spool')
  if (old) await takeOver(resolve(old), folder, (error, what) => say(`${what}: ${messageOf(error)}`))
  const admit = async (url: string) => {
    const { admitted, left } = await admitHeld(url, folder)
    say(`Guardados: ${admitted}. Retenidos: ${left}, porque nombran algo que ya no existe o que se creó después.`)
  }
  await (databaseUrl ? admit(databaseUrl) : withEmbedded(dataDir, admit))
})

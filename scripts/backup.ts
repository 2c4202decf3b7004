// npm run backup -- FOLDER: copies the database, the spool and the keys into a new folder, with the server running or not.
import { resolve } from 'node:path'
import { makeBackup } from '#server/backup/make.ts'
import { readConfig } from '#server/config.ts'
import { folderOf, runCommand, say, withEmbedded } from './command.ts'

await runCommand(async () => {
  const { databaseUrl, dataDir } = readConfig(process.env)
  const folder = resolve(folderOf('npm run backup -- CARPETA'))
  const order = { dataDir, folder, say }
  if (databaseUrl) await makeBackup({ ...order, url: databaseUrl, embedded: false })
  else await withEmbedded(dataDir, async (url) => void (await makeBackup({ ...order, url, embedded: true })))
  if (process.env.SECRET) say('SECRET no está en el respaldo: guárdelo aparte, sin él no se leen las claves.')
})

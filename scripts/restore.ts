// npm run restore -- FOLDER: puts a backup into the empty folder DATA_DIR, and looks whether its database starts there.
import { resolve } from 'node:path'
import { startCluster } from '#db/cluster.ts'
import { beginHistory } from '#db/history.ts'
import { migrate } from '#db/migrate.ts'
import { readManifest, verifyFiles } from '#server/backup/manifest.ts'
import { declareRestored, joinRestored, restoreFiles } from '#server/backup/restore.ts'
import { readConfig } from '#server/config.ts'
import { folderOf, runCommand, say } from './command.ts'

await runCommand(async () => {
  const { dataDir } = readConfig(process.env)
  const folder = resolve(folderOf('npm run restore -- CARPETA'))
  const manifest = readManifest(folder)
  verifyFiles(folder, manifest)
  restoreFiles(folder, manifest, dataDir, say)
  if (manifest.embedded) {
    say('Iniciando PostgreSQL…')
    const cluster = await startCluster({ dataDir, log: say })
    const mark = async () => {
      await migrate(cluster.url)
      await joinRestored(dataDir, await beginHistory(cluster.url))
    }
    await mark().finally(() => cluster.stop())
  }
  declareRestored(dataDir)
  say(
    manifest.embedded
      ? `Restaurado lo que había el ${manifest.ended}. Inicie con DATA_DIR=${dataDir}.`
      : `Restaurado lo que había el ${manifest.ended}: inicie su PostgreSQL sobre ${dataDir}/postgres.`,
  )
  say('Los clics que esperaban en la carpeta anterior: npm run spool:admit -- CARPETA_ANTERIOR, antes de borrarla.')
})

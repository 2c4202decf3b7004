// npm run backup:check -- FOLDER: looks whether a backup is as it was written, starts a copy of it and counts everything
// again. Exit code 1 when something is wrong.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { startCluster } from '#db/cluster.ts'
import { findFaults } from '#server/backup/check.ts'
import { type Manifest, readManifest, verifyFiles } from '#server/backup/manifest.ts'
import { restoreFiles } from '#server/backup/restore.ts'
import { folderOf, runCommand, say } from './command.ts'

/** Beside the backup, where there is as much room as it needed; removed afterwards. */
async function checkCopy(folder: string, manifest: Manifest): Promise<string[]> {
  const scratch = mkdtempSync(join(dirname(folder), 'afluente-check-'))
  // PostgreSQL's own user must be able to traverse it when we are root.
  if (process.getuid?.() === 0) chmodSync(scratch, 0o711)
  try {
    restoreFiles(folder, manifest, scratch, say)
    const cluster = await startCluster({ dataDir: scratch, log: say })
    return await findFaults(cluster.url, manifest, say).finally(() => cluster.stop())
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

await runCommand(async () => {
  const folder = resolve(folderOf('npm run backup:check -- CARPETA'))
  const manifest = readManifest(folder)
  verifyFiles(folder, manifest)
  say('Los archivos están como se escribieron.')
  if (!manifest.embedded) return say('Es de un PostgreSQL propio: para comprobarlo por dentro, restáurelo e inícielo.')
  const faults = await checkCopy(folder, manifest)
  for (const fault of faults) say(fault)
  if (faults.length) process.exitCode = 1
  else say(`El respaldo del ${manifest.ended} inicia y sus cuentas cuadran.`)
})

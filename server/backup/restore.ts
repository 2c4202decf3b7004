import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { accountFor } from '#db/binaries.ts'
import { makeDataFolder } from '#db/data-folder.ts'
import { folderError, messageOf, OperatorError } from '#db/operator-error.ts'
import { noteHistory } from '../spool/history.ts'
import { BASE, flushFolder, type Manifest } from './manifest.ts'

/** A server refuses a folder whose lock names another file: it was copied and may be incomplete. */
const LOCK = 'server.lock'

/** The files of a verified backup where a server looks for them; until all are there, no server starts on them. */
export function restoreFiles(folder: string, manifest: Manifest, dataDir: string, say: (text: string) => void): void {
  takeEmpty(dataDir)
  say(`Restaurando en ${dataDir}…`)
  if (manifest.files.some(({ path }) => path.startsWith('spool/'))) mkdirSync(join(dataDir, 'spool'), { mode: 0o700 })
  for (const { path } of manifest.files) if (path !== BASE) copyFileSync(join(folder, path), join(dataDir, path))
  if (manifest.spoolId) symlinkSync(manifest.spoolId, join(dataDir, 'spool/id'))
  unpack(join(folder, BASE), join(dataDir, 'postgres'))
}

/** What waits in the spool of a backup names nothing that its database does not have: it was copied before. */
export async function joinRestored(dataDir: string, history: string): Promise<void> {
  const folder = join(dataDir, 'spool')
  if (existsSync(folder)) await noteHistory(folder, history)
}

export function declareRestored(dataDir: string): void {
  // PostgreSQL flushes its own files when it starts.
  for (const name of ['', 'spool']) if (existsSync(join(dataDir, name))) flushFolder(join(dataDir, name))
  rmSync(join(dataDir, LOCK))
  flushFolder(dataDir)
}

function takeEmpty(dataDir: string): void {
  try {
    makeDataFolder(dataDir)
    const [name] = readdirSync(dataDir).filter((each) => each !== 'lost+found')
    if (name)
      throw new OperatorError(`${dataDir} no está vacía (tiene ${name}): se restaura solo en una carpeta vacía.`)
    writeFileSync(join(dataDir, LOCK), '0 restore 0\n', { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw folderError(dataDir, error)
  }
}

/** With the owner that PostgreSQL works as. */
export function unpack(archive: string, data: string): void {
  mkdirSync(data, { mode: 0o700 })
  const { status, stderr, error } = spawnSync('tar', ['-xof', archive, '-C', data], { encoding: 'utf8' })
  if (error) throw new OperatorError(`No se puede ejecutar tar: ${messageOf(error)}`, { cause: error })
  if (status !== 0) throw new OperatorError(`No se pudo desempacar la base de datos: ${stderr.trim()}`)
  const account = accountFor(data)
  if (!account) return
  for (const { parentPath, name } of readdirSync(data, { recursive: true, withFileTypes: true }))
    lchownSync(join(parentPath, name), account.uid, account.gid)
  lchownSync(data, account.uid, account.gid)
}

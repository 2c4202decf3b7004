import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDataFolder } from '#db/data-folder.ts'
import { codeOf, folderError, OperatorError } from '#db/operator-error.ts'
import { isStrongSecret } from '../config-fields.ts'

/** The key material of an installation without SECRET: made once, stored beside the data, readable by its owner alone. */
export function keepSecret(dataDir: string): string {
  const file = join(dataDir, 'secret')
  if (!existsSync(file)) makeSecret(dataDir, file)
  const secret = readFileSync(file, 'utf8').trim()
  if (!isStrongSecret(secret)) {
    throw new OperatorError(`${file} está dañado: restáurelo de su respaldo; sin él no se leen las claves guardadas.`)
  }
  return secret
}

function makeSecret(dataDir: string, file: string): void {
  const draft = `${file}.${process.pid}`
  try {
    makeDataFolder(dataDir)
  } catch (error) {
    throw folderError(dataDir, error)
  }
  try {
    writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
    linkSync(draft, file) // atomic, and never over an existing one
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw folderError(dataDir, error)
  } finally {
    rmSync(draft, { force: true })
  }
}

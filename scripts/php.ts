import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { OperatorError } from '#db/operator-error.ts'
import { installFromDebian } from './debian.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The program that runs PHP. */
    php: string
  }
}

/** What the file for PHP that we hand out says that it needs (server/docs/clients/afluente.php). */
const SUITS = 'exit(PHP_VERSION_ID >= 80100 && extension_loaded("curl") ? 0 : 1);'

const suits = (file: string): boolean => spawnSync(file, ['-r', SUITS], { stdio: 'ignore' }).status === 0

/** The PHP of this machine: named or found in PATH, new enough and with curl. */
export function findPhp(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const named = process.env.PHP_PATH
  return (named ? [named] : folders.map((folder) => join(folder, 'php'))).find(suits)
}

/** Installs it from Debian when there is none and we may. */
export function ensurePhp(): string {
  const found = findPhp()
  if (found) return found
  process.stdout.write('Instalando PHP…\n')
  const installed = installFromDebian('php-cli', 'php-curl') ? findPhp() : undefined
  if (installed) return installed
  throw new OperatorError(
    'Las pruebas necesitan PHP 8.1 o posterior con la extensión curl: instálelo (en Debian: apt-get install php-cli php-curl) o indique su ruta en PHP_PATH.',
  )
}

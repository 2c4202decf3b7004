import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { installFromDebian } from './debian.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The program that runs PHP; null where there is none. */
    php: string | null
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

/** Installs it from Debian when there is none and we may; undefined where that fails. */
export function ensurePhp(): string | undefined {
  const found = findPhp()
  if (found) return found
  process.stdout.write('Instalando PHP…\n')
  return installFromDebian('php-cli', 'php-curl') ? findPhp() : undefined
}

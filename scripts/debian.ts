import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'

export const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export const run = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status ===
  0

/** Debian's packages, where there is apt-get and we may. */
export const installFromDebian = (...packages: string[]): boolean =>
  process.getuid?.() === 0 &&
  isProgram('/usr/bin/apt-get') &&
  run('apt-get', 'update') &&
  run('apt-get', 'install', '-y', ...packages)

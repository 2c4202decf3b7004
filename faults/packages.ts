import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'

export const run = (command: string, args: string[], cwd?: string): string =>
  execFileSync(command, args, { encoding: 'utf8', cwd, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64_000_000 })

export const captured = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name)

/** What Debian has now; without the right to ask, what was known before. */
export function updateLists(): void {
  if (process.getuid?.() === 0) run('apt-get', ['update'])
}

/** Debian's packages and what they depend on that is not installed: unpacked, which needs no rights, not installed. */
export function unpackPackages(packages: string[], root: string): void {
  const archives = `${root}.archives`
  for (const folder of [archives, root]) mkdirSync(folder, { recursive: true })
  const simulated = run('apt-get', ['install', '--simulate', '--no-install-recommends', ...packages])
  const needed = new Set([...packages, ...captured(simulated, /^Inst (\S+)/gm)])
  run('apt-get', ['download', ...needed], archives)
  for (const file of readdirSync(archives)) run('dpkg-deb', ['--extract', `${archives}/${file}`, root])
  rmSync(archives, { recursive: true })
}

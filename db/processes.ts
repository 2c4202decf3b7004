import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { codeOf } from './operator-error.ts'

const linux = process.platform === 'linux'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false
  }
  // A zombie accepts signals until its parent collects it.
  return !linux || statFields(pid)[0] !== 'Z'
}

/** The fields of /proc/PID/stat after the program's name, which may itself contain spaces and parentheses. */
function statFields(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return [] // gone meanwhile
  }
}

function commandOf(args: string[]): string {
  try {
    return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return '' // ps fails when the process is gone
  }
}

/**
 * PostgreSQL's processes have their data folder as current folder, which no others have. Compared by its number: in
 * another container the same path is another folder.
 */
function livesIn(pid: number, folder: string): boolean {
  if (!linux) return commandOf(['-o', 'command=', '-p', String(pid)]).includes(folder)
  try {
    const [own, wanted] = [statSync(`/proc/${pid}/cwd`), statSync(folder)]
    const isThere = own.ino === wanted.ino && own.dev === wanted.dev
    return isThere && readFileSync(`/proc/${pid}/stat`, 'utf8').includes('(postgres)')
  } catch {
    return false // gone, or not readable for us
  }
}

/** Every PostgreSQL process of that data folder that we can see, parent or orphan; `known` is the only candidate where /proc is missing. */
export function postgresOf(folder: string, known: number | undefined): number[] {
  const candidates = linux
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
    : known
      ? [known]
      : []
  return candidates.filter((pid) => isAlive(pid) && livesIn(pid, folder))
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

export async function gone(pids: number[], milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds
  while (pids.some(isAlive)) {
    if (performance.now() > end) return false
    await wait(25)
  }
  return true
}

import { linkSync, mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { codeOf, folderError, OperatorError } from './operator-error.ts'
import { isAlive, startMark } from './processes.ts'

type Holder = { pid: number; started: string }

const parse = (text: string): Holder | undefined => {
  const [pid, started] = text.trim().split(' ')
  return pid && started ? { pid: Number(pid), started } : undefined
}

// A container gives its first process the same number at every start, so the number alone proves nothing.
const stillRuns = (holder: Holder | undefined): boolean =>
  holder !== undefined && isAlive(holder.pid) && startMark(holder.pid) === holder.started

function read(file: string): string | undefined {
  try {
    return readlinkSync(file)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    // Earlier versions wrote a file.
    if (codeOf(error) === 'EINVAL') return readFileSync(file, 'utf8')
    throw error
  }
}

/** Moves a dead holder's file away; restores it when another process replaced it before the move. */
function clearStale(file: string, seen: string): void {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if (read(aside) !== seen) linkSync(aside, file)
  rmSync(aside, { force: true })
}

/**
 * Locks `name` in the folder for this process, making the folder if needed; returns the release. The lock is a symlink
 * whose target names the holder: it fits on a full disk, too, where a server must be able to start.
 */
export function holdFolder(folder: string, name: string): () => void {
  try {
    // PostgreSQL's own user must be able to traverse it when we are root.
    mkdirSync(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  } catch (error) {
    throw folderError(folder, error)
  }
  const file = `${folder}/${name}`
  const mine = `${process.pid} ${startMark(process.pid)}`
  for (;;) {
    try {
      symlinkSync(mine, file)
      return () => {
        if (read(file) === mine) rmSync(file, { force: true })
      }
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw folderError(folder, error)
    }
    const seen = read(file)
    if (seen === undefined) continue
    const holder = parse(seen)
    if (stillRuns(holder)) {
      throw new OperatorError(
        `La carpeta de datos ${folder} ya está en uso por otro Afluente en marcha (proceso ${holder?.pid}).`,
      )
    }
    clearStale(file, seen)
  }
}

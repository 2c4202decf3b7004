import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf, OperatorError } from './operator-error.ts'

const MODE = 0o600
const READ_WRITE = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW
/** macOS has no flock program, but locks what it opens with this flag. */
const EXLOCK = 0x20

/**
 * The file, opened and locked; undefined when somebody else holds its lock. The lock belongs to the descriptor and to
 * the copies of it that child processes are given: the kernel ends it with the last of them, however they end. It holds
 * between containers and PID namespaces, whose processes cannot see each other.
 */
export function openLocked(file: string): number | undefined {
  if (process.platform === 'darwin') return openWithLock(file)
  const fd = openSync(file, READ_WRITE, MODE)
  try {
    if (lock(fd, file)) return fd
  } catch (error) {
    closeSync(fd)
    throw error
  }
  closeSync(fd)
  return undefined
}

/** Node has no flock(2). The program locks the descriptor that we share with it, and ends; the lock stays with ours. */
function lock(fd: number, file: string): boolean {
  const stdio = ['ignore', 'ignore', 'pipe', fd] as const
  const { status, stderr, error } = spawnSync('flock', ['-x', '-n', '3'], { stdio: [...stdio], encoding: 'utf8' })
  if (codeOf(error) === 'ENOENT') {
    throw new OperatorError(
      'Falta el programa flock (paquete util-linux), con el que Afluente aparta su carpeta de datos.',
    )
  }
  if (error) throw error
  if (status === 0) return true
  if (status === 1 && !stderr) return false
  throw new OperatorError(
    `El sistema de archivos de ${dirname(file)} no admite candados (${stderr.trim() || `flock terminó con ${status}`}): ` +
      'use un disco local (DATA_DIR).',
  )
}

function openWithLock(file: string): number | undefined {
  try {
    return openSync(file, READ_WRITE | constants.O_NONBLOCK | EXLOCK, MODE)
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return undefined
    throw error
  }
}

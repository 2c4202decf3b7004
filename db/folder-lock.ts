import { closeSync, fstatSync, ftruncateSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { makeDataFolder } from './data-folder.ts'
import { openLocked } from './file-lock.ts'
import { codeOf, folderError, OperatorError } from './operator-error.ts'

/** Who holds the lock, and of which file: a copied file says the number of the one that it was copied from. */
interface Holder {
  pid: string
  host: string
  inode: string
}

const inodeOf = (fd: number): string => String(fstatSync(fd, { bigint: true }).ino)

function read(fd: number): Holder | undefined {
  const [pid, host, inode] = readFileSync(fd, 'utf8').trim().split(' ')
  return pid && host && inode ? { pid, host, inode } : undefined
}

function sign(fd: number): void {
  ftruncateSync(fd)
  try {
    writeSync(fd, `${process.pid} ${hostname()} ${inodeOf(fd)}\n`, 0)
  } catch (error) {
    // A server must be able to start on a full disk; the lock holds without a name.
    if (!['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '')) throw error
  }
}

function openLockedIn(folder: string, file: string): number | undefined {
  for (;;) {
    try {
      return openLocked(file)
    } catch (error) {
      if (codeOf(error) !== 'ELOOP') throw folderError(folder, error)
      // Version 0.1.0 made a symlink, which no lock of the kernel belongs to.
      rmSync(file, { force: true })
    }
  }
}

interface Options {
  /** Whether to refuse a folder that was copied while a server held it, or after a crash. */
  refuseCopy?: boolean
}

/**
 * Locks `name` in the folder for this process, making the folder if needed; returns the release. A killed process
 * releases it at once. The file stays: who opened it before it was removed would hold a lock that nobody else sees.
 */
export function holdFolder(folder: string, name: string, { refuseCopy = false }: Options = {}): () => void {
  try {
    makeDataFolder(folder)
  } catch (error) {
    throw folderError(folder, error)
  }
  const file = `${folder}/${name}`
  const fd = openLockedIn(folder, file)
  if (fd === undefined) throw inUse(folder, file)
  const last = read(fd)
  if (refuseCopy && last && last.inode !== inodeOf(fd)) {
    closeSync(fd)
    throw copied(folder, file)
  }
  sign(fd)
  let held = true
  return () => {
    if (!held) return
    held = false
    ftruncateSync(fd)
    closeSync(fd)
  }
}

function inUse(folder: string, file: string): OperatorError {
  const [pid, host] = readFileSync(file, 'utf8').split(' ')
  const holder = pid && host ? ` (proceso ${pid} en ${host})` : ''
  return new OperatorError(`La carpeta de datos ${folder} ya está en uso por otro Afluente en marcha${holder}.`)
}

const copied = (folder: string, file: string) =>
  new OperatorError(
    `La carpeta de datos ${folder} se copió de otra que estaba en uso o que no cerró bien: puede estar incompleta. ` +
      `Si nada corría mientras se copió y la original ya no se usará, borre ${file} e inicie de nuevo.`,
  )

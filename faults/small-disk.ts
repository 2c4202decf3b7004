import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '#db/operator-error.ts'
import { NotRun } from './fault.ts'

const BALLAST = 'ballast'

/** A disk of a few megabytes mounted over a folder, with the folder's files. */
export class SmallDisk {
  readonly #folder: string

  constructor(folder: string, megabytes: number) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true, mode: 0o711 })
    const { mode, uid, gid } = statSync(folder)
    const options = `size=${megabytes}m,mode=${(mode & 0o7777).toString(8)},uid=${uid},gid=${gid}`
    const aside = `${folder}.aside`
    renameSync(folder, aside)
    mkdirSync(folder)
    run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
    // With their owners, or PostgreSQL would not read them.
    run('cp', ['-a', `${aside}/.`, folder])
    rmSync(aside, { recursive: true })
  }

  /** To the last byte. */
  fill(): void {
    const file = openSync(join(this.#folder, BALLAST), 'a')
    for (const bytes of [1_048_576, 4_096, 1]) {
      const piece = Buffer.alloc(bytes, 1)
      while (writes(file, piece));
    }
    closeSync(file)
  }

  free(): void {
    rmSync(join(this.#folder, BALLAST), { force: true })
  }

  unmount(): void {
    run('umount', ['-l', this.#folder])
  }
}

function writes(file: number, piece: Buffer): boolean {
  try {
    return writeSync(file, piece) > 0
  } catch (error) {
    if (codeOf(error) !== 'ENOSPC') throw error
    return false
  }
}

function run(command: string, args: string[]): void {
  const { status, stderr, error } = spawnSync(command, args)
  if (status !== 0) throw new NotRun(`${command} ${args.join(' ')} is not possible here (${error ?? stderr})`)
}

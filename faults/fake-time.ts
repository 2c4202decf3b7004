import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '#db/operator-error.ts'
import { NotRun } from './fault.ts'

const CACHE = join(import.meta.dirname, '../node_modules/.cache/faketime')

const run = (command: string, args: string[], cwd?: string): string =>
  execFileSync(command, args, { encoding: 'utf8', cwd, stdio: ['ignore', 'pipe', 'pipe'] })

/** Unpacked, not installed, from Debian's package, once. */
function ensureLibrary(): string {
  try {
    const [found] = readdirSync(CACHE)
    if (found) return join(CACHE, found)
  } catch {
    // not fetched yet
  }
  const making = `${CACHE}.making`
  rmSync(making, { recursive: true, force: true })
  mkdirSync(join(making, 'root'), { recursive: true })
  run('apt-get', ['download', 'libfaketime'], making)
  const [archive = ''] = readdirSync(making).filter((file) => file.endsWith('.deb'))
  run('dpkg-deb', ['--extract', join(making, archive), join(making, 'root')])
  const library = run('find', [join(making, 'root'), '-name', 'libfaketimeMT.so.1']).trim()
  mkdirSync(CACHE)
  renameSync(library, join(CACHE, 'libfaketimeMT.so.1'))
  rmSync(making, { recursive: true })
  return join(CACHE, 'libfaketimeMT.so.1')
}

/** A clock of its own for one program, which can be set while it runs. Its steady clock goes on, as the kernel's does. */
export class FakeTime {
  readonly env: Record<string, string>
  readonly #file: string

  constructor(folder: string) {
    this.#file = join(folder, 'clock')
    try {
      this.env = {
        LD_PRELOAD: ensureLibrary(),
        FAKETIME_TIMESTAMP_FILE: this.#file,
        FAKETIME_CACHE_DURATION: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        NO_FAKE_STAT: '1',
      }
    } catch (error) {
      throw new NotRun(`libfaketime cannot be had (${messageOf(error)})`)
    }
    this.set('+0')
  }

  /** So far from the real time: +1h, -90d. Seen within a second. */
  set(offset: string): void {
    writeFileSync(this.#file, `${offset}\n`)
  }
}

import { statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { onTestFinished, vi } from 'vitest'

const SECTOR = 4096

const eio = (call: string) => Object.assign(new Error(`EIO: i/o error, ${call}`), { code: 'EIO' })

/** What Node's file handles do, until the end of the test. */
async function handles(): Promise<FileHandle> {
  const handle = await open(import.meta.filename)
  await handle.close()
  onTestFinished(() => void vi.restoreAllMocks())
  return Object.getPrototypeOf(handle)
}

const isOf = async (handle: FileHandle, path: string) => (await handle.stat()).ino === statSync(path).ino

/** Sectors that a worn disk cannot read: a read ends before one, and fails at one. */
export async function wearOut(path: string, sectors: number[]): Promise<void> {
  const proto = await handles()
  const read = proto.read as (...args: unknown[]) => Promise<{ bytesRead: number; buffer: Buffer }>
  const worn = async function (this: FileHandle, buffer: Buffer, offset: number, length: number, position: number) {
    const next = sectors.map((sector) => sector * SECTOR).filter((at) => at + SECTOR > position)
    const limit = (await isOf(this, path)) ? Math.min(length, ...next.map((at) => at - position)) : length
    if (limit <= 0) throw eio('read')
    return read.call(this, buffer, offset, limit, position)
  }
  vi.spyOn(proto, 'read').mockImplementation(worn as typeof proto.read)
}

/** Called between what was written to the file and its flush. */
export async function beforeFlush(path: string, run: () => Promise<void>): Promise<void> {
  const proto = await handles()
  const write = proto.write as (...args: unknown[]) => Promise<unknown>
  let done = false
  const paused = async function (this: FileHandle, ...args: unknown[]) {
    const result = await write.apply(this, args)
    if (!done && (await isOf(this, path))) {
      done = true
      await run()
    }
    return result
  }
  vi.spyOn(proto, 'write').mockImplementation(paused as typeof proto.write)
}

/** As Linux does when written pages do not reach the disk: each handle is told once, by its next flush. */
export async function loseWrites(path: string): Promise<void> {
  const proto = await handles()
  const told = new Set<FileHandle>()
  for (const name of ['datasync', 'sync'] as const) {
    const flush = proto[name]
    const failing = async function (this: FileHandle) {
      if (told.has(this) || !(await isOf(this, path))) return flush.call(this)
      told.add(this)
      throw eio(name)
    }
    vi.spyOn(proto, name).mockImplementation(failing)
  }
}

import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from '#db/operator-error.ts'
import { flushFolder } from '../spool/history.ts'
import { decodeRecord, encodeRecord, linesOf } from '../spool/record.ts'
import { Target } from './targets.ts'

/** Part of every line's checksum, so that lines of another format are not read. */
const FORMAT = 1
/** Few enough not to delay clicks. */
const LINES_PER_WRITE = 200

/** The last copy written; damaged lines are skipped. */
export async function readTargets(file: string): Promise<Target[]> {
  const targets: Target[] = []
  for (const { line } of linesOf(await readIfThere(file))) {
    const json = decodeRecord(line, FORMAT)
    if (json !== undefined) targets.push(Target.parse(JSON.parse(json)))
  }
  return targets
}

async function readIfThere(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

/** Atomic, and flushed to the disk when it returns. */
export async function writeTargets(file: string, targets: Target[]): Promise<void> {
  const draft = `${file}.new`
  try {
    const handle = await open(draft, 'w', 0o600)
    try {
      for (let at = 0; at < targets.length; at += LINES_PER_WRITE)
        await handle.writeFile(linesFor(targets.slice(at, at + LINES_PER_WRITE)))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await flushFolder(dirname(file))
}

const linesFor = (targets: Target[]): string =>
  targets.map((target) => encodeRecord(JSON.stringify(target), FORMAT)).join('')

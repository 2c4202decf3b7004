import { existsSync, readlinkSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf, OperatorError } from '#db/operator-error.ts'
import { heldName, readHeld } from './held.ts'
import { appendLeads, readLeads } from './lead-lines.ts'
import { type Report, Spool } from './spool.ts'

// A database that is put back to an earlier state gives the ids of later companies and links again, to others. Leads of
// the time in between name the first ones, so they are not stored among the second ones without a look.

const BATCH = 500

/** Which history the leads in the folder belong to; undefined before its first server knew a database. */
export function notedHistory(folder: string): string | undefined {
  try {
    return readlinkSync(join(folder, 'history'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** A symlink is made atomically, on a full disk, too. */
export async function noteHistory(folder: string, id: string): Promise<void> {
  const draft = join(folder, 'history.new')
  rmSync(draft, { force: true })
  symlinkSync(id, draft)
  renameSync(draft, join(folder, 'history'))
  await flushFolder(folder)
}

interface Join {
  spool: Spool
  /** Of the database that the spool's leads are about to go to. */
  history: string
  /** No click may be led on by what was known of another history. */
  forgetTargets: () => Promise<void>
}

/**
 * Sets aside what waits in the spool if it belongs to another history; returns how many leads of other histories there
 * are. No lead may be on its way to the database yet.
 */
export async function joinHistory({ spool, history, forgetTargets }: Join): Promise<number> {
  const noted = notedHistory(spool.folder)
  if (noted !== undefined && noted !== history) {
    await forgetTargets()
    await spool.flushed
    await holdBack(spool, join(spool.folder, heldName(noted)))
  }
  if (noted !== history) await noteHistory(spool.folder, history)
  spool.history = history
  const held = (await readHeld(spool.folder)).flatMap(({ leads }) => leads)
  spool.setAside(held)
  spool.setAside(await readLeads(spool.refusedFile).catch(() => [])) // the drainer reads it, too, and reports
  return held.length
}

/** Interrupted at any point and begun again, it loses none; one that is there twice is stored once. */
async function holdBack(spool: Spool, file: string): Promise<void> {
  for (let drain = await spool.next(BATCH); drain; drain = await spool.next(BATCH)) {
    await appendLeads(file, drain.leads)
    await flushFolder(dirname(file))
    await spool.release(drain)
  }
  await moveLeads(spool.refusedFile, file)
}

async function moveLeads(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return
  await appendLeads(to, await readLeads(from))
  await flushFolder(dirname(to))
  rmSync(from)
}

/**
 * Moves every lead that waits in the spool of a folder that no server uses any more into our own folder, as leads of the
 * history that it noted. Throws OperatorError while a server uses it, and when it noted none.
 */
export async function takeOver(oldDataDir: string, folder: string, report: Report): Promise<void> {
  const old = join(oldDataDir, 'spool')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (existsSync(old) && realpathSync(old) === realpathSync(folder))
    throw new OperatorError(`${oldDataDir} es la carpeta de este servidor (DATA_DIR): dé la anterior.`)
  const noted = notedHistory(old)
  if (noted === undefined) throw new OperatorError(`${old} no dice a qué base de datos pertenecen sus clics.`)
  const spool = await Spool.open(oldDataDir, 0, report)
  try {
    await holdBack(spool, join(folder, heldName(noted)))
    for (const { file } of await readHeld(old)) await moveLeads(file, join(folder, basename(file)))
  } finally {
    await spool.close()
  }
}

/** What was made, renamed or removed in it stays so. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

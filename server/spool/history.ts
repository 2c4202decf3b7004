import { existsSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '#db/operator-error.ts'
import { appendLeads, readLeads } from './lead-lines.ts'
import type { LeadRecord } from './lead-rows.ts'
import type { Spool } from './spool.ts'

// A database that is put back to an earlier state gives the ids of later companies and links again, to others. Leads of
// the time in between name the first ones, so they are not stored among the second ones without a look.

const BATCH = 500
const HELD = /^held-([0-9a-f-]{36})\.jsonl$/

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

interface Held {
  file: string
  /** The history that its leads belong to. */
  history: string
  leads: LeadRecord[]
}

/** Leads of other histories, which wait for a person. */
export async function readHeld(folder: string): Promise<Held[]> {
  const held: Held[] = []
  for (const name of await readdir(folder)) {
    const history = HELD.exec(name)?.[1]
    const file = join(folder, name)
    if (history) held.push({ file, history, leads: await readLeads(file) })
  }
  return held
}

interface Join {
  spool: Spool
  /** Of the database that the spool's leads are about to go to. */
  history: string
  /** No click may be led on by what was known of another history. */
  forgetTargets: () => Promise<void>
}

/** Sets aside what waits in the spool if it belongs to another history. No lead may be on its way to the database yet. */
export async function joinHistory({ spool, history, forgetTargets }: Join): Promise<void> {
  const noted = notedHistory(spool.folder)
  if (noted !== undefined && noted !== history) {
    await forgetTargets()
    await spool.flushed
    await holdBack(spool, join(spool.folder, `held-${noted}.jsonl`))
  }
  if (noted !== history) await noteHistory(spool.folder, history)
  spool.history = history
  spool.held = (await readHeld(spool.folder)).reduce((sum, { leads }) => sum + leads.length, 0)
}

/** Interrupted at any point and begun again, it loses none; one that is there twice is stored once. */
async function holdBack(spool: Spool, file: string): Promise<void> {
  for (let drain = await spool.next(BATCH); drain; drain = await spool.next(BATCH)) {
    await appendLeads(file, drain.leads)
    await flushFolder(spool.folder)
    await spool.release(drain)
  }
  const refused = join(spool.folder, 'refused.jsonl')
  if (!existsSync(refused)) return
  await appendLeads(file, await readLeads(refused))
  await flushFolder(spool.folder)
  rmSync(refused)
}

/** What was made, renamed or removed in it stays so. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

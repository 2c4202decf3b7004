import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readLeads } from './lead-lines.ts'
import type { LeadRecord } from './lead-rows.ts'

const HELD = /^held-([0-9a-f-]{36})\.jsonl$/

export const heldName = (history: string): string => `held-${history}.jsonl`

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

/** Read anew each time: a person may let them in meanwhile. */
export const countHeld = async (folder: string): Promise<number> =>
  (await readHeld(folder)).reduce((sum, { leads }) => sum + leads.length, 0)

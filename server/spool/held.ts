import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
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

/** Leads that wait for a person: of other histories, or taken over from another folder. */
export async function readHeld(folder: string): Promise<Held[]> {
  const held: Held[] = []
  for (const name of await readdir(folder)) {
    const history = HELD.exec(name)?.[1]
    const file = join(folder, name)
    if (history) held.push({ file, history, leads: await readLeads(file) })
  }
  return held
}

/** By file, as it was when its lines were last counted. */
const counted = new Map<string, { mtimeMs: number; lines: number }>()

/** A person may let them in meanwhile; a file that did not change is not read again. */
export async function countHeld(folder: string): Promise<number> {
  let sum = 0
  for (const name of (await readdir(folder)).filter((each) => HELD.test(each)))
    sum += await countLines(join(folder, name))
  return sum
}

async function countLines(file: string): Promise<number> {
  const { mtimeMs } = await stat(file)
  const known = counted.get(file)
  if (known?.mtimeMs === mtimeMs) return known.lines
  let lines = 0
  for await (const line of createInterface(createReadStream(file))) if (line) lines += 1
  counted.set(file, { mtimeMs, lines })
  return lines
}

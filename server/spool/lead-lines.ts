import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { codeOf } from '#db/operator-error.ts'
import type { LeadRecord } from './lead-rows.ts'

// Leads in a file of their own, a line each: those set aside and those held back.

const MODE = 0o600

const linesOf = (leads: LeadRecord[]): string => leads.map((lead) => `${JSON.stringify(lead)}\n`).join('')

/** None when there is no file. A torn line is of a write that was interrupted; its lead is still where it came from. */
export async function readLeads(file: string): Promise<LeadRecord[]> {
  try {
    return (await readFile(file, 'utf8')).split('\n').flatMap(leadOf)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

function leadOf(line: string): LeadRecord[] {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}

/** Flushed to the disk when it returns. On a line of its own, also after a torn one. */
export const appendLeads = (file: string, leads: LeadRecord[]): Promise<void> =>
  appendFile(file, `\n${linesOf(leads)}`, { mode: MODE, flush: true })

/** All or nothing: another file takes its place, or none when no lead is left. */
export async function replaceLeads(file: string, leads: LeadRecord[]): Promise<void> {
  if (!leads.length) return rm(file, { force: true })
  await writeFile(`${file}.new`, linesOf(leads), { mode: MODE, flush: true })
  await rename(`${file}.new`, file)
}

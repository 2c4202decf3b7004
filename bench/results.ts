import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Each has a RESULTS.md of its own: what is fast, and what is kept. */
type Room = 'bench' | 'faults'

const fileOf = (room: Room): string => join(import.meta.dirname, '..', room, 'RESULTS.md')

const marksOf = (name: string) => [`<!-- ${name} -->`, `<!-- /${name} -->`] as const

/** Empty when there is none. */
export function readSection(name: string, room: Room): string {
  const [open, close] = marksOf(name)
  const text = readFileSync(fileOf(room), 'utf8')
  const start = text.indexOf(open)
  return start < 0 ? '' : text.slice(start + open.length, text.indexOf(close)).trim()
}

/** Replaces the section of the same name. */
export function keepSection(name: string, text: string, room: Room = 'bench'): void {
  const [open, close] = marksOf(name)
  const section = `${open}\n${text.trim()}\n${close}`
  const file = fileOf(room)
  const old = readFileSync(file, 'utf8')
  const [start, end] = [old.indexOf(open), old.indexOf(close)]
  const kept =
    start < 0 ? `${old.trimEnd()}\n\n${section}\n` : old.slice(0, start) + section + old.slice(end + close.length)
  writeFileSync(file, kept)
}

export function tableOf(head: string[], rows: (string | number)[][]): string {
  const inOneCell = (cell: string | number) => String(cell).replace(/\s*[|\n]\s*/g, ' ')
  const line = (cells: (string | number)[]) => `| ${cells.map(inOneCell).join(' | ')} |`
  return [line(head), line(head.map((_, index) => (index ? '--:' : '---'))), ...rows.map(line)].join('\n')
}

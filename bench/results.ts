import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = join(import.meta.dirname, 'RESULTS.md')
const HEAD =
  '# Last measured\n\nEach section is written by the part of `npm run bench` that it is named after, or by `npm run faults`.\n'

const marksOf = (name: string) => [`<!-- ${name} -->`, `<!-- /${name} -->`] as const

/** Empty when there is none. */
export function readSection(name: string): string {
  const [open, close] = marksOf(name)
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : ''
  const start = text.indexOf(open)
  return start < 0 ? '' : text.slice(start + open.length, text.indexOf(close)).trim()
}

/** Replaces the section of the same name. */
export function keepSection(name: string, text: string): void {
  const [open, close] = marksOf(name)
  const section = `${open}\n${text.trim()}\n${close}`
  const old = existsSync(FILE) ? readFileSync(FILE, 'utf8') : HEAD
  const [start, end] = [old.indexOf(open), old.indexOf(close)]
  const kept =
    start < 0 ? `${old.trimEnd()}\n\n${section}\n` : old.slice(0, start) + section + old.slice(end + close.length)
  writeFileSync(FILE, kept)
}

export function tableOf(head: string[], rows: (string | number)[][]): string {
  const inOneCell = (cell: string | number) => String(cell).replace(/\s*[|\n]\s*/g, ' ')
  const line = (cells: (string | number)[]) => `| ${cells.map(inOneCell).join(' | ')} |`
  return [line(head), line(head.map((_, index) => (index ? '--:' : '---'))), ...rows.map(line)].join('\n')
}

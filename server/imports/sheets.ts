import { type Entry, partOf } from './zip.ts'

/** Excel writes some kilobytes of them. */
const PART_MAX = 4 * 1024 * 1024

/** A sheet of which Excel writes less may have no cell. */
const BLANK_MAX = 4 * 1024

/** The names of the sheets of a file of Excel that people see, in their order; those without a cell are none, beside others. */
export function sheetsOf(file: Buffer, entries: readonly Entry[]): string[] {
  const part = (name: string) => partOf(file, entries, name, PART_MAX)
  const workbook = targetsIn(part('_rels/.rels'), 'officeDocument').values().next().value ?? 'xl/workbook.xml'
  const [, folder = '', base = ''] = /^\/?(.*?)([^/]*)$/s.exec(workbook) ?? []
  if (!part(folder + base)) throw new Error('No workbook')
  const tables = targetsIn(part(`${folder}_rels/${base}.rels`), 'worksheet')
  const seen = tagsOf(part(folder + base), 'sheet').flatMap(({ name, id = '', state = '' }) => {
    const target = tables.get(id)
    if (!name || target === undefined || /hidden/i.test(state)) return []
    return [{ name, path: target.startsWith('/') ? target.slice(1) : folder + target }]
  })
  const isSmall = (path: string) => entries.some(({ name, size }) => name === path && size < BLANK_MAX)
  const filled = seen.filter(({ path }) => !isSmall(path) || /<(\w+:)?c[\s/>]/.test(part(path)))
  return (filled.length ? filled : seen).map(({ name }) => name)
}

const targetsIn = (xml: string, type: string): Map<string, string> =>
  new Map(
    tagsOf(xml, 'Relationship')
      .filter((one) => one.Type?.endsWith(`/${type}`))
      .map((one) => [one.Id ?? '', one.Target ?? '']),
  )

/** The attributes of all tags of a name, without the prefixes of their names. */
function tagsOf(xml: string, name: string): Record<string, string>[] {
  const tags = xml.match(/<(?:[^<>"']|"[^"]*"|'[^']*')*>/g) ?? []
  const begins = new RegExp(`^<(?:\\w+:)?${name}[\\s/>]`)
  return tags.filter((tag) => begins.test(tag)).map(attributesOf)
}

const attributesOf = (tag: string): Record<string, string> =>
  Object.fromEntries(
    [...tag.matchAll(/(?:\w+:)?(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, name = '', one, other]) => [
      name,
      decoded(one ?? other ?? ''),
    ]),
  )

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const decoded = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return name ? (ENTITIES[name] ?? whole) : code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

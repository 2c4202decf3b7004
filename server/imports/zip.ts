import { inflateRawSync } from 'node:zlib'
import { badFile } from './bad-file.ts'

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const END_BYTES = 22
const COMMENT_MAX = 65_535
const ENTRIES_MAX = 2_000
/** Instead of a number that stands elsewhere, as in archives of more than 4 GB. */
const ELSEWHERE = 0xffffffff
/** The flag of sizes that follow the bytes. */
const SIZES_FOLLOW = 8
/** How bytes are kept that are not packed. */
export const STORED = 0

export interface Entry {
  name: string
  method: number
  packed: number
  size: number
  /** Where its local header begins. */
  at: number
}

/** What an archive says that it holds, by its directory. */
export function entriesOf(zip: Buffer): Entry[] {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < Math.max(0, zip.length - END_BYTES - COMMENT_MAX) || zip.length - end < END_BYTES) throw broken()
  if (zip.readUInt32LE(end) !== END) throw broken()
  const count = zip.readUInt16LE(end + 10)
  if (count > ENTRIES_MAX) throw broken()
  let at = zip.readUInt32LE(end + 16)
  // The reader would follow another directory.
  if (at === ELSEWHERE || zip.readUInt32LE(end + 12) === ELSEWHERE) throw broken()
  const entries: Entry[] = []
  while (entries.length < count) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== ENTRY) throw broken()
    const [flags, packed, size] = [zip.readUInt16LE(at + 8), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)]
    // What says nothing of its size could be of any; where it says nothing of either, the reader goes by what stands elsewhere.
    if (size === 0 && packed > 2) throw broken()
    if (packed === 0 && flags & SIZES_FOLLOW) throw broken()
    if (packed === ELSEWHERE || size === ELSEWHERE) throw broken()
    const names = at + 46 + zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, names)
    entries.push({ name, method: zip.readUInt16LE(at + 10), packed, size, at: zip.readUInt32LE(at + 42) })
    at = names + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}

/** A number format, of which Excel takes 255 characters, is looked at for each cell; Excel writes some kilobytes of styles. */
const STYLES_MAX = 16 * 1024 * 1024

/**
 * Refuses an archive that says that it unpacks to more than `limit` bytes. One that says less than it holds fails where it
 * is unpacked, since the reader stops at what was said.
 */
export function expectUnpacked(entries: readonly Entry[], limit: number): void {
  const unpacked = entries.reduce((sum, { size }) => sum + size, 0)
  const styles = entries.filter(({ name }) => /styles\.xml$/i.test(name))
  if (unpacked > limit || styles.some(({ size }) => size > STYLES_MAX))
    throw badFile('El archivo de Excel es demasiado grande al abrirlo. Guárdalo como CSV.')
}

/** The bytes of an entry as they are kept. */
export function packedBytes(zip: Buffer, { at, packed }: Entry): Buffer {
  if (at + 30 > zip.length || zip.readUInt32LE(at) !== LOCAL) throw broken()
  const start = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
  return zip.subarray(start, start + packed)
}

/** The text of a small part. */
export function partOf(zip: Buffer, entries: readonly Entry[], name: string, maxOutputLength: number): string {
  const entry = entries.find((one) => one.name === name)
  if (!entry) return ''
  const bytes = packedBytes(zip, entry)
  return (entry.method === STORED ? bytes : inflateRawSync(bytes, { maxOutputLength })).toString('utf8')
}

const broken = () => badFile('El archivo de Excel está dañado. Ábrelo y guárdalo de nuevo.')

import { badFile } from './bad-file.ts'

const END = 0x06054b50
const ENTRY = 0x02014b50
const END_BYTES = 22
const COMMENT_MAX = 65_535
const ENTRIES_MAX = 2_000
/** Instead of a number that stands elsewhere, as in archives of more than 4 GB. */
const ELSEWHERE = 0xffffffff
/** The flag of sizes that follow the bytes. */
const SIZES_FOLLOW = 8

/**
 * Refuses an archive that says that it unpacks to more than `limit` bytes. One that says less than it holds fails where it
 * is unpacked, since the reader stops at what was said.
 */
export function expectUnpacked(zip: Buffer, limit: number): void {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < Math.max(0, zip.length - END_BYTES - COMMENT_MAX) || zip.length - end < END_BYTES) throw broken()
  if (zip.readUInt32LE(end) !== END) throw broken()
  const entries = zip.readUInt16LE(end + 10)
  if (entries > ENTRIES_MAX) throw broken()
  let at = zip.readUInt32LE(end + 16)
  // The reader would follow another directory.
  if (at === ELSEWHERE || zip.readUInt32LE(end + 12) === ELSEWHERE) throw broken()
  let unpacked = 0
  for (let entry = 0; entry < entries; entry += 1) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== ENTRY) throw broken()
    const [flags, packed, size] = [zip.readUInt16LE(at + 8), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)]
    // What says nothing of its size could be of any; where it says nothing of either, the reader goes by what stands elsewhere.
    if (size === 0 && packed > 2) throw broken()
    if (packed === 0 && flags & SIZES_FOLLOW) throw broken()
    if (packed === ELSEWHERE || size === ELSEWHERE) throw broken()
    unpacked += size
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  if (unpacked > limit) throw badFile('El archivo de Excel es demasiado grande al abrirlo. Guárdalo como CSV.')
}

const broken = () => badFile('El archivo de Excel está dañado. Ábrelo y guárdalo de nuevo.')

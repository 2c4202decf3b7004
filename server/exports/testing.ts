import { inflateRawSync } from 'node:zlib'

/** The parts of an archive, by name; sizes come from its directory, since a streamed part only ends with its own. */
export function unzip(archive: Buffer): Record<string, string> {
  const parts: Record<string, string> = {}
  let at = archive.readUInt32LE(archive.lastIndexOf('PK\x05\x06', undefined, 'latin1') + 16)
  while (archive.readUInt32LE(at) === 0x02014b50) {
    const [size, nameLength] = [archive.readUInt32LE(at + 20), archive.readUInt16LE(at + 28)]
    const start = archive.readUInt32LE(at + 42)
    const data = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    parts[name] = inflateRawSync(archive.subarray(data, data + size)).toString()
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return parts
}

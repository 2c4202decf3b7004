import { crc32 } from 'node:zlib'

/** More than the longest click in JSON. */
export const RECORD_LIMIT = 65_536
const NEWLINE = 10
const CRC_LENGTH = 8

/** The checksum includes the number of the segment's use, so records of an earlier use fail it. */
const crcOf = (text: string | Buffer, generation: number): string =>
  crc32(text, crc32(`afluente spool ${generation}`))
    .toString(16)
    .padStart(CRC_LENGTH, '0')

export const encodeRecord = (json: string, generation: number): string => `${crcOf(json, generation)} ${json}\n`

/** Undefined for a record that is torn, damaged or of an earlier use. */
export function decodeRecord(line: Buffer, generation: number): string | undefined {
  if (line.length <= CRC_LENGTH + 1) return undefined
  const json = line.subarray(CRC_LENGTH + 1)
  return crcOf(json, generation) === line.toString('latin1', 0, CRC_LENGTH) ? json.toString('utf8') : undefined
}

/** The complete lines of a piece of a segment, each with the offset of the next one. */
export function* linesOf(piece: Buffer): Generator<{ line: Buffer; end: number }> {
  for (let start = 0; ; ) {
    const newline = piece.indexOf(NEWLINE, start)
    if (newline === -1) return
    yield { line: piece.subarray(start, newline), end: newline + 1 }
    start = newline + 1
  }
}

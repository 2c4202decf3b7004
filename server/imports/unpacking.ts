/** As much of a text as the parser of hucre reads again at most; of tags, comments and the like it knows no limit. */
const MARKUP_BYTES_MAX = 256 * 1024

/**
 * Unpacks as the platform does, for hucre, which asks for no more than that. Its parser reads what has begun and not ended
 * from its start again with each chunk: megabytes of it, of a file of kilobytes, would take minutes. It also runs ahead of
 * whoever takes the rows, and is the slower the more of them it keeps: `wanted` says when to go on.
 */
export function unpackingWhen(wanted: () => Promise<void>): typeof DecompressionStream {
  const Platform = globalThis.DecompressionStream
  return class {
    readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>
    readonly writable: WritableStream<BufferSource>

    constructor(format: CompressionFormat) {
      const { readable, writable } = new Platform(format)
      this.readable = readable.pipeThrough(checked(wanted))
      this.writable = writable
    }
  }
}

function checked(wanted: () => Promise<void>): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let unended = ''
  return new TransformStream({
    async transform(chunk, controller) {
      // Bytes as letters: all that markup begins and ends with is ASCII.
      unended = unendedIn(unended + Buffer.from(chunk).toString('latin1'))
      if (unended.length > MARKUP_BYTES_MAX) throw new Error('Markup without end')
      await wanted()
      controller.enqueue(chunk)
    },
  })
}

/** The markup at the end of this that has begun and not ended. */
function unendedIn(xml: string): string {
  for (let at = xml.indexOf('<'); at >= 0; ) {
    const end = endOf(xml, at)
    if (end < 0) return xml.slice(at)
    at = xml.indexOf('<', end)
  }
  return ''
}

/** What begins so, ends so; all else is a tag. */
const ENDS = [
  ['</', '>'],
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<!', '>'],
  ['<?', '?>'],
] as const

function endOf(xml: string, at: number): number {
  const [begin, end] = ENDS.find(([begin]) => xml.startsWith(begin, at)) ?? []
  return begin === undefined ? endOfTag(xml, at) : xml.indexOf(end, at + begin.length)
}

/** A `>` in quotes ends none. */
function endOfTag(xml: string, start: number): number {
  let quote: string | undefined
  for (let at = start; at < xml.length; at += 1) {
    const letter = xml[at]
    if (quote) quote = letter === quote ? undefined : quote
    else if (letter === '>') return at
    else if (letter === '"' || letter === "'") quote = letter
  }
  return -1
}

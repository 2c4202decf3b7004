/** As much of a text as the parser of hucre reads again at most; of tags, comments and the like it knows no limit. */
const MARKUP_BYTES_MAX = 256 * 1024
/** Excel takes formats of 255 characters; hucre looks through the format of each cell with a number. */
const FORMAT_BYTES_MAX = 1_000
const FORMAT = /<(?:\w{1,20}:)?numFmt\b/iy

export type Refusal = 'markup' | 'format' | 'unpacking'
/** Ends the reading, and so never returns. */
type Refuse = (why: Refusal) => never

/**
 * Unpacks as the platform does, for hucre, which asks for no more than that. Its parser reads what has begun and not ended
 * from its start again with each chunk: megabytes of it, of a file of kilobytes, would take minutes. It also runs ahead of
 * whoever takes the rows, and is the slower the more of them it keeps: `wanted` says when to go on. What fails here ends
 * the reading at once, since hucre would unpack it again by its own means, unlooked at.
 */
export function unpackingWhen(wanted: () => Promise<void>, refuse: Refuse): typeof DecompressionStream {
  const Platform = globalThis.DecompressionStream
  return class {
    readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>
    readonly writable: WritableStream<BufferSource>

    constructor(format: CompressionFormat) {
      const { readable, writable } = new Platform(format)
      this.readable = streamOf(checked(readable, wanted, refuse))
      this.writable = writable
    }
  }
}

type Bytes = Uint8Array<ArrayBuffer>

const streamOf = (chunks: AsyncGenerator<Bytes>): ReadableStream<Bytes> =>
  new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => void (await chunks.return(undefined)),
    },
    { highWaterMark: 0 },
  )

async function* checked(
  bytes: ReadableStream<Bytes>,
  wanted: () => Promise<void>,
  refuse: Refuse,
): AsyncGenerator<Bytes> {
  const markup = new Markup(refuse)
  const reader = bytes.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => refuse('unpacking'))
      if (done) return
      markup.push(value)
      await wanted()
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined) // it may have failed, which was told
  }
}

/** Looks at the markup of a part as it comes. */
export class Markup {
  readonly #refuse: Refuse
  #unended = ''

  constructor(refuse: Refuse) {
    this.#refuse = refuse
  }

  push(chunk: Uint8Array): void {
    // Bytes as letters: all that markup begins and ends with is ASCII.
    const xml = this.#unended + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1')
    this.#unended = this.#unendedIn(xml)
    if (this.#unended.length > FORMAT_BYTES_MAX) this.#expectShort(this.#unended, 0, this.#unended.length)
  }

  /** The markup at the end of this that has begun and not ended. */
  #unendedIn(xml: string): string {
    for (let at = xml.indexOf('<'); at >= 0; ) {
      const end = endOf(xml, at)
      if (end < 0) return xml.slice(at)
      if (end - at > FORMAT_BYTES_MAX) this.#expectShort(xml, at, end)
      at = xml.indexOf('<', end)
    }
    return ''
  }

  #expectShort(xml: string, at: number, end: number): void {
    FORMAT.lastIndex = at
    if (FORMAT.test(xml)) this.#refuse('format')
    if (end - at > MARKUP_BYTES_MAX) this.#refuse('markup')
  }
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

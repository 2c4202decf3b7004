/** Text that systems of others send, in whatever way they write it (D84, D87): nothing in it is malformed. */

const utf8 = new TextDecoder('utf-8', { fatal: true })
const windows = new TextDecoder('windows-1252')

/** Bytes that are no UTF-8 are windows-1252; a mark of the order of bytes is not part of the text. */
export function decodeText(bytes: Uint8Array): string {
  const mark = bytes.length < 2 ? 0 : (bytes[0] as number) * 256 + (bytes[1] as number)
  if (mark === 0xfffe) return new TextDecoder('utf-16le').decode(bytes)
  if (mark === 0xfeff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return utf8.decode(bytes)
  } catch {
    return windows.decode(bytes)
  }
}

/** What is escaped badly stays as it stands. */
const unescapeText = (text: string): string =>
  text
    .replaceAll('+', ' ')
    .replace(/(?:%[\da-f]{2})+/gi, (run) => decodeText(Buffer.from(run.replaceAll('%', ''), 'hex')))

/** An ampersand that an editor escaped, perhaps twice. */
const AMPERSAND = /&(?:(?:amp|(?:#|%23)0*38|(?:#|%23)x0*26)(?:;|%3b))+/gi
/** Somebody joined parameters to an address that had some. */
const SECOND_QUERY = /\?(?=[\w.[\]-]{1,64}=)/g

/** Parameters of a query or a form, in their order; a name may come again. Those without a text are left out. */
export function readParameters(query: string): [name: string, value: string][] {
  return query
    .replace(/^\?/, '')
    .replace(AMPERSAND, '&')
    .replace(SECOND_QUERY, '&')
    .split('&')
    .flatMap((part): [string, string][] => {
      const [name = '', ...value] = part.split('=')
      const text = unescapeText(value.join('='))
      return text === '' ? [] : [[unescapeText(name).trim(), text]]
    })
}

import { unwrap } from '#contract/outside-ids.ts'

/** Of HTML that was escaped and never read again: newsletters and page editors do it once, or twice. */
const AMPERSAND = /&(?:amp;|#0*38;|#x0*26;)+/gi
/** Before the name of a parameter that an app appended to whatever it was given, as if the address had no query yet. */
const SECOND_QUERY = /\?(?=[A-Za-z_][\w.-]*=)/
/** The same, escaped together with the value before it: of the names that are appended, since an id may hold any other. */
const ESCAPED_QUERY =
  /(?:%3F|%26(?:amp%3B)?)(?=(?:utm_[a-z]+|[a-z]{0,4}clid|[gw]braid|external_id|product_id|sub\d+)(?:=|%3D))/i
/** An id that is an address has a query of its own. */
const ADDRESS = /:\/\/|%3A%2F%2F/i

type Pair = [name: string, value: string]

/** Most queries: nothing is escaped, and names are in small letters. */
const SIMPLE = /^[\w.~=&-]*$/

/**
 * The parameters of a query as people's links carry them (D89), of those names that are known: values decoded, in their
 * order. Malformed percent-encoding is tolerated.
 */
export function pairsOf(query: string, isKnown: (name: string) => boolean): Pair[] {
  const simple = SIMPLE.test(query)
  const pairs: Pair[] = []
  for (const part of simple ? query.split('&') : partsOf(query)) {
    const at = part.indexOf('=')
    if (at < 1) continue
    const written = part.slice(0, at)
    const name = isKnown(written) ? written : nameOf(written)
    if (isKnown(name)) pairs.push([name, simple ? part.slice(at + 1) : decodeValue(part.slice(at + 1))])
  }
  return pairs
}

/** As somebody meant it: in capitals, behind a blank, or behind what is left of an ampersand. */
const nameOf = (text: string): string =>
  unwrap(decodeValue(text))
    .replace(/^(?:amp;|#0*38;)+/i, '')
    .toLowerCase()

function partsOf(query: string): string[] {
  const parts = (query.includes(';') ? query.replace(AMPERSAND, '&') : query).split('&')
  if (!query.includes('?') && !(query.includes('%') && /%3F|%26/i.test(query))) return parts
  return parts.flatMap((part) =>
    ADDRESS.test(part)
      ? [part]
      : part
          .split(SECOND_QUERY)
          .flatMap((one) => one.split(ESCAPED_QUERY))
          .map((one) => one.replace(/^(\w+)%3D/i, '$1=')),
  )
}

const WINDOWS = new TextDecoder('windows-1252')
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const ASCII = /^[\x20-\x7e]*$/
/** Node hands over the bytes of an address one a character; anything else never came over a wire. */
const BEYOND_BYTES = /[^\p{ASCII}\u0080-\u00ff]/u

/** Bytes that are no UTF-8 are windows-1252, which old pages escape and send. A sign that begins no code stays. */
export function decodeValue(raw: string): string {
  const text = raw.includes('+') ? raw.replaceAll('+', ' ') : raw
  if (ASCII.test(text)) {
    if (!text.includes('%')) return text
    try {
      return decodeURIComponent(text)
    } catch {
      // As bytes, below.
    }
  }
  const latin = BEYOND_BYTES.test(text) ? Buffer.from(text).toString('latin1') : text
  const bytes = Buffer.from(
    latin.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
  try {
    return UTF8.decode(bytes)
  } catch {
    return WINDOWS.decode(bytes)
  }
}

/** A query that was escaped as a whole, `product_id%3D12%26utm_source%3Dboletin`, decoded once. */
export const decodeQuery = (query: string): string => decodeValue(query.replaceAll('+', '%2B'))

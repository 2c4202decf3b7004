/**
 * Ids as they come from outside (D84): pasted by hand, quoted by spreadsheets, escaped by editors, or left as a macro that
 * nobody replaced. Clicks, events, postbacks, files, look-up and search read them here, so that one id is one everywhere.
 */

const BLANK = /[\s\p{Cc}\p{Cf}\p{Co}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u
const INSIDE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu
const QUOTED = /^=?\\?(?:"(.*?)\\?"|'(.*?)\\?'|`(.*?)`|“(.*?)”|‘(.*?)’|«(.*?)»|„(.*?)[“”])$/su
/** Spreadsheets and our own exports put an apostrophe before what is to stay a text. */
const APOSTROPHE = /^['’](?=.)/su
/** A macro is named by a word; what begins with a digit is an id that somebody put in braces. */
const BRACED_ID = /^\{+\s*(\d[^{}]*|[\da-f]{8}-?[\da-f-]{24,27})\s*\}+$/iu

const NAME = '[\\p{L}_$][\\p{L}\\d_ .:|-]*'
/** Nothing but a macro: `{x}`, `{{x}}`, `${x}`, `[X]`, `<x>`, `{% x %}`, `#x#`, `%x%`, `%%X%%`, `*|X|*`, `__X__`. */
const MACRO = new RegExp(
  `^(?:[$#%@!]?[{[<]+[%#!$@]?\\s*${NAME}\\s*[%#]?[}\\]>]+|([#%~|@^!*$]{1,2})${NAME}\\1|\\*\\|${NAME}\\|\\*|__+[\\p{L}\\d][\\p{L}\\d_-]*?__+|\\$[\\p{L}_][\\p{L}\\d_]*)$`,
  'u',
)
/** A macro beside other text, in a shape that no id has. */
const HOLDS_MACRO =
  /\{\{?\s{0,2}[\p{L}_][\p{L}\d_.:-]{0,60}\s{0,2}\}|\$\{[^}]{0,60}\}|__[A-Z][A-Z_]{1,60}?__|%%[A-Z_]{1,60}%%/u
/** What programs write in place of nothing. */
const NOTHING = /^(?:undefined|null|nan|nil|\(null\)|\(none\)|\(not set\)|\[object \w+\]|None)$/iu
const SIMPLE = /^[\w.~-]+$/
const WORD = /^(?:undefined|null|nan|nil|none)$/i
/** Most values need no look at all: no mark, no blank, none of the words above. */
const isPlain = (text: string): boolean =>
  SIMPLE.test(text) && !text.includes('__') && !(text.length < 10 && WORD.test(text))
/** An id has 255 characters at most; with four times as many the patterns below cost nothing that is felt. */
const ID_TEXT_LIMIT = 1024
const MACRO_LIMIT = 100

/** By hand: a pattern for the end would look at each blank inside again and again. */
function trim(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && BLANK.test(text.charAt(start))) start += 1
  while (end > start && BLANK.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** Without blanks and invisible marks at both ends, and without quotes, `=""` and the apostrophe of spreadsheets around it. */
export function unwrap(text: string): string {
  if (isPlain(text)) return text
  let value = trim(text.slice(0, ID_TEXT_LIMIT))
  for (let layer = 0; layer < 4; layer += 1) {
    const quoted = QUOTED.exec(value)
    const inner = quoted ? (quoted.slice(1).find((part) => part !== undefined) ?? '') : value.replace(APOSTROPHE, '')
    if (inner === value) break
    value = trim(inner)
  }
  return value
}

/** Whether the text is only a macro that nobody replaced, or a program's word for nothing. */
export const isPlaceholder = (text: string): boolean =>
  !isPlain(text) && text.length <= MACRO_LIMIT && (MACRO.test(text) || NOTHING.test(text))

/** The macro in a text, as it stands there. */
export const macroIn = (text: string): string =>
  isPlaceholder(trim(text)) ? trim(text) : (HOLDS_MACRO.exec(text.slice(0, ID_TEXT_LIMIT))?.[0] ?? '')

/** An external or transaction id; '' when the text is none: empty, or a placeholder, also one beside other text. */
export function readOutsideId(text: string): string {
  if (isPlain(text)) return text
  const value = unwrap(text).replace(INSIDE, '')
  const [, braced] = BRACED_ID.exec(value) ?? []
  if (braced) return trim(braced)
  if (isPlaceholder(value) || HOLDS_MACRO.test(value)) return ''
  return value.replace(/^urn:uuid:/i, '')
}

/** A transaction's own id; zeros are what systems send in place of none. */
export function readTransactionId(text: string): string {
  const id = readOutsideId(text)
  return /^0+$/.test(id) ? '' : id
}

/** Whole numbers as paths and parameters carry them; what stands behind one and is no letter or digit is not part of it. */
export function readNumberId(text: string): number | undefined {
  const [, digits] = /^\{*0*(\d{1,15})(?:\.0+)?[^\p{L}\d]*$/u.exec(unwrap(text).normalize('NFKC')) ?? []
  return digits === undefined || Number(digits) < 1 ? undefined : Number(digits)
}

/** Letters of other alphabets that look like hexadecimal digits, and the many hyphens. */
const ALIKE: Record<string, string> = {
  а: 'a',
  А: 'a',
  Α: 'a',
  В: 'b',
  Β: 'b',
  с: 'c',
  С: 'c',
  е: 'e',
  Е: 'e',
  Ε: 'e',
  О: '0',
  о: '0',
}
const HYPHENS = /[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D_]/gu
const UUID = /(?<![\p{L}\d])[\da-f]{8}(-?)[\da-f]{4}\1[\da-f]{4}\1[\da-f]{4}\1[\da-f]{12}(?![\p{L}\d])/giu
const CANONICAL = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

/** No tracking id is longer, whatever stands around it: the address of a page is what it is pasted with at most. */
export const TRACKING_TEXT_LIMIT = 2048

/**
 * The canonical 36 characters of a tracking id, in capitals, without hyphens, with marks around it or inside an address;
 * undefined when the text has none, or two different ones.
 */
export function readTrackingId(text: string): string | undefined {
  const [id, ...others] = trackingIdsIn(text)
  return others.length ? undefined : id
}

/** The different tracking ids that a text has. */
export function trackingIdsIn(text: string): string[] {
  if (CANONICAL.test(text)) return [text]
  if (text.length > TRACKING_TEXT_LIMIT) return []
  const plain = decodeOnce(text)
    .replace(HYPHENS, '-')
    .normalize('NFKC')
    .replace(/[\s\p{Cc}\p{Cf}\p{Zs}\p{Default_Ignorable_Code_Point}]+/gu, (mark) =>
      /^\p{Zs}|\s/u.test(mark) ? ' ' : '',
    )
    .replace(/[^\p{ASCII}]/gu, (letter) => ALIKE[letter] ?? letter)
  const found = new Set([...plain.matchAll(UUID)].map(([id]) => id.replaceAll('-', '').toLowerCase()))
  return [...found].map((hex) =>
    [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-'),
  )
}

/** Percent-encoding that was applied once too often. */
function decodeOnce(text: string): string {
  if (!/%[\da-f]{2}/i.test(text)) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

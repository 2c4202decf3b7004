/**
 * Numbers of cards and accounts in a text, however they are written. Work is linear in the length of the text: each group
 * of digits begins at most five candidates, whose shape is looked at before their digits.
 */

/** What may stand between the digits of one number: a few of anything but letters and digits. */
export const GAP = '[^0-9A-Za-z\\u00C0-\\u024F]{0,4}'
const GAP_MAX = 4
/** What parts the digits of a number written one by one, as rows and lists do not. */
const PLAIN = /^[ \t\u00A0\u2000-\u200D\u2010-\u2015\u202F\u205F\u2060\u2212\u3000\uFEFF._-]{0,3}$/
const PLAIN_GAPS = new Set(['', ' ', '-', '.', '_'])
const INVISIBLE = /^[\u00AD\u200B-\u200D\u2060\uFEFF]+$/
const NO_DIGITS = /\D+/g

/** A hashed e-mail, a tracking id: that digits follow one another in it is chance. */
const HEX_ID = /(?<![0-9a-z])(?:[0-9a-f]{32,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-z])/gi

/** Digits of every script, and letters of double width. */
const WIDE = /[\uFF01-\uFF5E]|(?!\d)\p{Nd}/gu

/** The text with plain digits and letters, of the same length: those of two code units leave an invisible mark. */
export const narrow = (text: string): string => text.replace(WIDE, plainOf)

const known = new Map<string, string>()

function plainOf(letter: string): string {
  const found = known.get(letter) ?? readLetter(letter)
  known.set(letter, found)
  return found
}

function readLetter(letter: string): string {
  const code = letter.codePointAt(0) ?? 0
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0)
  // Unicode has the ten digits of a script in a row, and rows of them after one another.
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return `${(code - zero) % 10}${letter.length > 1 ? '\u2060' : ''}`
}

export interface Found<Name> {
  from: number
  to: number
  name: Name
}

/** What number these digits are, if any. */
export type NameOf<Name> = (digits: string) => Name | undefined

/** Of a narrow text, in no order. */
export function findNumbers<Name>(text: string, nameOf: NameOf<Name>): Found<Name>[] {
  const found: Found<Name>[] = []
  const digits = text.replace(NO_DIGITS, '')
  const look: Look = (first, last) => {
    const name = nameOf(digits.slice(first.index, last.index + last.size))
    if (name) found.push({ from: first.from, to: last.to, name })
    return name !== undefined
  }
  for (const run of listRuns(text)) {
    for (const way of WAYS) lookAtEven(text, run, way, look)
    lookAtGrouped(run, look)
  }
  return found.length ? withoutIds(text, found) : found
}

/** In order, and those that overlap as one. */
export function joined<Name>(found: readonly Found<Name>[]): Found<Name>[] {
  const result: Found<Name>[] = []
  for (const each of [...found].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last && each.from < last.to) last.to = Math.max(last.to, each.to)
    else result.push({ ...each })
  }
  return result
}

function withoutIds<Name>(text: string, found: readonly Found<Name>[]): Found<Name>[] {
  const ids = Array.from(text.matchAll(HEX_ID), ({ 0: id, index }) => ({ from: index, to: index + id.length }))
  let next = 0
  return joined(found).filter(({ from, to }) => {
    while ((ids[next]?.to ?? Number.POSITIVE_INFINITY) <= from) next += 1
    const id = ids[next]
    return !id || from < id.from || to > id.to
  })
}

interface Group {
  from: number
  to: number
  /** How many digits; some may have invisible marks between them. */
  size: number
  /** Which of the text's digits is its first. */
  index: number
}

/** Whether there is a number from one group to another, which is noted. */
type Look = (first: Group, last: Group) => boolean

const DIGITS_MIN = 13
const DIGITS_MAX = 19

/** Groups of digits with nothing but a gap between them, where they are enough for a number. */
function* listRuns(text: string): Iterable<Group[]> {
  let run: Group[] = []
  let [index, digits] = [0, 0]
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place)
    const last = run.at(-1)
    if (isDigit(code)) {
      if (last && (last.to === place || INVISIBLE.test(text.slice(last.to, place)))) {
        last.to = place + 1
        last.size += 1
      } else run.push({ from: place, to: place + 1, size: 1, index })
      index += 1
      digits += 1
    } else if (last && (isLetter(code) || place - last.to >= GAP_MAX)) {
      if (digits >= DIGITS_MIN) yield run
      run = []
      digits = 0
    }
  }
  if (digits >= DIGITS_MIN) yield run
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 0xc0 && code <= 0x24f)

/** Whether this gap goes on with digits one by one, whose first gap is the other. */
type Way = (gap: string, first: string) => boolean
const WAYS: Way[] = [(gap) => PLAIN_GAPS.has(gap) || PLAIN.test(gap), (gap, first) => gap === first]

/** Digits one by one, or two by two. */
function lookAtEven(text: string, run: readonly Group[], goesOn: Way, look: Look): void {
  let first: Group | undefined
  let last: Group | undefined
  let [digits, firstGap] = [0, '']
  for (const group of run) {
    const isEven = group.size <= 2
    const gap = last && isEven ? text.slice(last.to, group.from) : ''
    if (first && first === last) firstGap = gap
    if (first && last && !(isEven && goesOn(gap, firstGap))) {
      if (digits >= DIGITS_MIN && digits <= DIGITS_MAX) look(first, last)
      first = undefined
    }
    if (!first) digits = 0
    first = isEven ? (first ?? group) : undefined
    last = isEven ? group : undefined
    digits += group.size
  }
  if (first && last && digits >= DIGITS_MIN && digits <= DIGITS_MAX) look(first, last)
}

/**
 * How cards and CLABEs are written, in lengths of groups; other groups, such as a telephone beside an amount, are no number
 * together.
 */
const SHAPES = [
  ...['13', '14', '15', '16', '17', '18', '19'],
  ...['4 4 4 1', '4 4 4 2', '4 4 4 3', '4 4 4 4', '4 4 4 4 1', '4 4 4 4 2', '4 4 4 4 3'],
  ...['4 6 4', '4 6 5', '3 3 11 1', '3 3 4 4 4'],
  ...['6 10', '6 6 4', '4 12', '12 4', '8 8', '4 4 8', '4 8 4', '8 4 4'],
]
const keyWith = (key: number, size: number): number => key * (DIGITS_MAX + 1) + size
const keysIn = (shape: string): number[] =>
  shape.split(' ').map((_, place, sizes) =>
    sizes
      .slice(0, place + 1)
      .map(Number)
      .reduce(keyWith, 0),
  )
const WHOLE = new Set(SHAPES.map((shape) => keysIn(shape).at(-1)))
const BEGINNINGS = new Set(SHAPES.flatMap(keysIn))

function lookAtGrouped(run: readonly Group[], look: Look): void {
  for (let place = 0; place < run.length; place++) place = lastFrom(run, place, look) ?? place
}

/** Where the longest number that begins with this group ends; shorter ones are noted, too. */
function lastFrom(run: readonly Group[], begin: number, look: Look): number | undefined {
  let found: number | undefined
  let key = 0
  for (let place = begin; place < run.length; place++) {
    const [first, last] = [run[begin], run[place]]
    if (!first || !last || last.size > DIGITS_MAX) break
    key = keyWith(key, last.size)
    if (!BEGINNINGS.has(key)) break
    if (WHOLE.has(key) && look(first, last)) found = place
  }
  return found
}

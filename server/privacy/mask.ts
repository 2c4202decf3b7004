import { NOTE_MAX } from '#contract/rulings.ts'

export type Warning = 'CARD_NUMBER_MASKED' | 'CURP_MASKED' | 'CLABE_MASKED' | 'SECRET_MASKED'

const OMITTED: Record<Warning, string> = {
  CARD_NUMBER_MASKED: '[tarjeta omitida]',
  CURP_MASKED: '[CURP omitida]',
  CLABE_MASKED: '[CLABE omitida]',
  SECRET_MASKED: '[dato omitido]',
}
export const SECRET_OMITTED = OMITTED.SECRET_MASKED

/** What stands between the digits of a number, as a class: spaces and dashes of every kind, those without width, too. */
const BETWEEN = ' \\t\\u00A0\\u2000-\\u200D\\u2010-\\u2015\\u202F\\u205F\\u2060\\u2212\\u3000\\uFEFF._-'

/** Most texts, and so most clicks, end here: not six digits after one another. */
const SUSPECT = new RegExp(`(?:[\\d\\uFF10-\\uFF19][${BETWEEN}]{0,3}){6}`)

/** Digits and letters of double width; each is one character for one. */
const WIDE = /[\uFF01-\uFF5E]/g
const narrow = (text: string): string =>
  text.replace(WIDE, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))

const GAP = `[${BETWEEN}]{0,3}`
const NUMBERS = new RegExp(`\\d(?:${GAP}\\d){12,}`, 'g')
/** The middle of a CURP, where it is least like other text. */
const CURP_CORE = new RegExp(`(?:\\d{2}${GAP}){3}[HMXhmx]${GAP}[A-Za-z]{2}`)
const CURP = new RegExp(
  ['[A-Z][AEIOUX][A-Z]{2}', '\\d{2}', '\\d{2}', '\\d{2}', '[HMX]', '[A-Z]{2}', '[A-Z]{3}', '[A-Z0-9]', '\\d'].join(GAP),
  'gi',
)
/** A hashed e-mail, a tracking id: that digits follow one another in it is chance. */
const HEX_ID = /(?<![0-9a-z])(?:[0-9a-f]{32,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-z])/gi

/** What a number may be: a card anywhere, a CLABE in the data of events. */
type NameOf = (digits: string) => Warning | undefined
const nameOfCard: NameOf = (digits) => (isCardNumber(digits) ? 'CARD_NUMBER_MASKED' : undefined)
const nameOfAny: NameOf = (digits) => nameOfCard(digits) ?? (isClabe(digits) ? 'CLABE_MASKED' : undefined)

/**
 * A text with card numbers and CURPs replaced, and what was replaced told to `onMask`. Separators, double width and a
 * letter glued to it hide neither. Pure, and quick for ordinary text: clicks come through here.
 */
export function maskPersonal(text: string, onMask: (warning: Warning) => void): string {
  return SUSPECT.test(text) ? maskSuspect(text, nameOfCard, onMask) : text
}

/** As maskPersonal(); bank accounts (CLABE) and codes called by their name, such as `cvv: 123`, too. */
export function maskPrivate(text: string, onMask: (warning: Warning) => void): string {
  const withoutSecrets = text.replace(SECRET_IN_TEXT, (_, name: string) => {
    onMask('SECRET_MASKED')
    return `${name}${SECRET_OMITTED}`
  })
  return SUSPECT.test(withoutSecrets) ? maskSuspect(withoutSecrets, nameOfAny, onMask) : withoutSecrets
}

/** Why a person decided something: masked as the data of events is, which may make it longer than it may be. */
export const maskNote = (note: string): string => [...maskPrivate(note, () => undefined)].slice(0, NOTE_MAX).join('')

function maskSuspect(text: string, nameOf: NameOf, onMask: (warning: Warning) => void): string {
  // By place in the narrow text, so that everything else stays as it was sent.
  const plain = narrow(text)
  const found = [...findNumbers(plain, nameOf), ...findCurps(plain)].sort((a, b) => b.from - a.from)
  const pieces: string[] = []
  let first = text.length
  for (const { from, to, warning } of found) {
    if (to > first) continue
    onMask(warning)
    pieces.push(text.slice(to, first), OMITTED[warning])
    first = from
  }
  return [...pieces, text.slice(0, first)].reverse().join('')
}

interface Found {
  from: number
  to: number
  warning: Warning
}

function findCurps(text: string): Found[] {
  if (!CURP_CORE.test(text)) return []
  const matches = text.matchAll(CURP)
  return Array.from(matches, ({ 0: curp, index }) => ({ from: index, to: index + curp.length, warning: 'CURP_MASKED' }))
}

function findNumbers(text: string, nameOf: NameOf): Found[] {
  const runs = text.match(NUMBERS)
  // Long ids of campaigns, all digits, are common in clicks.
  if (!runs?.some((run) => run.length > DIGITS_MAX || !isDigits(run) || nameOf(run))) return []
  const found = [...listNumbers(text, nameOf)]
  const ids = found.length ? Array.from(text.matchAll(HEX_ID), ({ 0: id, index }) => [index, index + id.length]) : []
  return found.filter(({ from, to }) => !ids.some(([start = 0, end = 0]) => start <= from && to <= end))
}

const isDigits = (text: string): boolean => /^\d+$/.test(text)

interface Group {
  digits: string
  at: number
}

/** Each step looks at few groups, since an event may hold thousands. */
function* listNumbers(text: string, nameOf: NameOf): Iterable<Found> {
  for (const { 0: run, index } of text.matchAll(NUMBERS)) {
    const groups: Group[] = Array.from(run.matchAll(/\d+/g), ({ 0: digits, index: at }) => ({ digits, at: index + at }))
    const even = nameOfEven(groups, nameOf)
    if (even) yield { from: index, to: index + run.length, warning: even }
    else yield* listGrouped(groups, nameOf)
  }
}

/** Of digits one by one, or two by two. */
function nameOfEven(groups: readonly Group[], nameOf: NameOf): Warning | undefined {
  if (groups.length > DIGITS_MAX || !groups.every(({ digits }) => digits.length <= 2)) return undefined
  return nameOf(groups.map(({ digits }) => digits).join(''))
}

function* listGrouped(groups: readonly Group[], nameOf: NameOf): Iterable<Found> {
  for (let first = 0; first < groups.length; first++) {
    const { digits = '' } = groups[first] ?? {}
    const found = digits.length < SHORTEST ? undefined : findFrom(groups.slice(first, first + GROUPS_MAX), nameOf)
    if (!found) continue
    yield found
    first += found.groups - 1
  }
}

/** How cards and CLABEs are written; other groups, such as a telephone beside an amount, are no number together. */
const SHAPE = /^(?:1[3-9]|4 4 4 [1-4]|4 4 4 4 [1-3]|4 6 [45]|3 3 11 1|3 3 4 4 4)$/
const SHORTEST = 3
const GROUPS_MAX = 5
const DIGITS_MAX = 19

/** The longest number that begins with the first of these groups. */
function findFrom(groups: readonly Group[], nameOf: NameOf): (Found & { groups: number }) | undefined {
  const [{ at: from } = { at: 0 }] = groups
  let [number, shape] = ['', '']
  let found: (Found & { groups: number }) | undefined
  for (const [place, { digits, at }] of groups.entries()) {
    number += digits
    if (number.length > DIGITS_MAX) break
    shape += `${place ? ' ' : ''}${digits.length}`
    const warning = SHAPE.test(shape) ? nameOf(number) : undefined
    if (warning) found = { from, to: at + digits.length, warning, groups: place + 1 }
  }
  return found
}

/** Beginnings and lengths of the networks whose cards are issued in Mexico or travel there. */
const CARD = new RegExp(
  `^(?:${[
    '4(?:\\d{12}|\\d{15}|\\d{18})', // Visa
    '(?:5[1-5]\\d{14}|2(?:22[1-9]|2[3-9]\\d|[3-6]\\d\\d|7[01]\\d|720)\\d{12})', // Mastercard
    '3[47]\\d{13}', // American Express
    '(?:30[0-5]\\d{11}|3[689]\\d{12})', // Diners Club
    '35(?:2[89]|[3-8]\\d)\\d{12}', // JCB
    '6(?:011|4[4-9]\\d|5\\d\\d)\\d{12}', // Discover
    '62\\d{14,17}', // UnionPay
    '(?:50|5[6-8]|63|67)\\d{14,17}', // Carnet and Maestro
    '(?:286900|606333)\\d{10}', // Carnet
  ].join('|')})$`,
)

/** Luhn's check leaves one number in ten, so the beginning and the length count, too: campaigns have long ids. */
export function isCardNumber(digits: string): boolean {
  if (!CARD.test(digits)) return false
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const doubled = Number(digits[digits.length - 1 - place]) * (place % 2 ? 2 : 1)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** A bank that exists, and the check digit (mexico 4.2). */
export function isClabe(digits: string): boolean {
  if (!/^(?:0|1[0-6]|6|7[0-2]|90)\d+$/.test(digits) || digits.length !== 18) return false
  let sum = 0
  for (let place = 0; place < 17; place++) sum += (Number(digits[place]) * ([3, 7, 1][place % 3] as number)) % 10
  return (10 - (sum % 10)) % 10 === Number(digits[17])
}

const SECRET_NAME = /^(?:cvv2?|cvc2?|nip|pin|password|passwd|pwd|contrasena)$/i
const SECRET_IN_TEXT = /((?<![\p{L}\d])(?:cvv2?|cvc2?|nip)["']?[ :=]{1,3}["']?)\d{3,8}(?!\d)/giu

/** Whether a field of this name holds what must be kept by nobody: `cvv`, `NIP_tarjeta`, `userPassword`. */
export function isSecretName(name: string): boolean {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '')
  const words = plain.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[^A-Za-z\d]+/)
  return words.some((word) => SECRET_NAME.test(word))
}

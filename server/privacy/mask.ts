import { NOTE_MAX } from '#contract/rulings.ts'
import { type Found, findNumbers, GAP, joined, type NameOf, narrow } from './numbers.ts'

export type Warning = 'CARD_NUMBER_MASKED' | 'CURP_MASKED' | 'CLABE_MASKED' | 'SECRET_MASKED'

const OMITTED: Record<Warning, string> = {
  CARD_NUMBER_MASKED: '[tarjeta omitida]',
  CURP_MASKED: '[CURP omitida]',
  CLABE_MASKED: '[CLABE omitida]',
  SECRET_MASKED: '[dato omitido]',
}
export const SECRET_OMITTED = OMITTED.SECRET_MASKED

/** Most texts, and so most clicks, end here: not six digits after one another. */
const SUSPECT = new RegExp(`(?:\\d${GAP}){6}`)
/** No digit or letter of another script, or of double width, comes before. */
const FOREIGN = /[\u0660-\uFFFF]/

/** The middle of a CURP, where it is least like other text. */
const CURP_CORE = new RegExp(`(?:\\d{2}${GAP}){3}[HMXhmx]${GAP}[A-Za-z]{2}`)
const CURP = new RegExp(
  ['[A-Z][AEIOUX][A-Z]{2}', '\\d{2}', '\\d{2}', '\\d{2}', '[HMX]', '[A-Z]{2}', '[A-Z]{3}', '[A-Z0-9]', '\\d'].join(GAP),
  'gi',
)

/** What a number may be: a card anywhere, a CLABE in the data of events. */
const nameOfCard: NameOf<Warning> = (digits) => (isCardNumber(digits) ? 'CARD_NUMBER_MASKED' : undefined)
const nameOfAny: NameOf<Warning> = (digits) => nameOfCard(digits) ?? (isClabe(digits) ? 'CLABE_MASKED' : undefined)

/**
 * A text with card numbers and CURPs replaced, and what was replaced told to `onMask`. Separators, double width and a
 * letter glued to it hide neither. Pure, and quick for ordinary text: clicks come through here.
 */
export const maskPersonal = (text: string, onMask: (warning: Warning) => void): string => mask(text, nameOfCard, onMask)

/** As maskPersonal(); bank accounts (CLABE) and codes called by their name, such as `cvv: 123`, too. */
export function maskPrivate(text: string, onMask: (warning: Warning) => void): string {
  const withoutSecrets = text.replace(SECRET_IN_TEXT, (_, name: string) => {
    onMask('SECRET_MASKED')
    return `${name}${SECRET_OMITTED}`
  })
  return mask(withoutSecrets, nameOfAny, onMask)
}

/** Why a person decided something: masked as the data of events is, which may make it longer than it may be. */
export const maskNote = (note: string): string => [...maskPrivate(note, () => undefined)].slice(0, NOTE_MAX).join('')

function mask(text: string, nameOf: NameOf<Warning>, onMask: (warning: Warning) => void): string {
  const plain = FOREIGN.test(text) ? narrow(text) : text
  if (!SUSPECT.test(plain)) return text
  const pieces: string[] = []
  // By place in the narrow text, so that everything else stays as it was sent.
  let end = 0
  for (const { from, to, name } of joined([...findNumbers(plain, nameOf), ...findCurps(plain)])) {
    onMask(name)
    pieces.push(text.slice(end, from), OMITTED[name])
    end = isSecondHalf(text.charCodeAt(to)) ? to + 1 : to
  }
  return pieces.length ? [...pieces, text.slice(end)].join('') : text
}

/** Of a digit that takes two code units. */
const isSecondHalf = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

function findCurps(text: string): Found<Warning>[] {
  if (!CURP_CORE.test(text)) return []
  const matches = text.matchAll(CURP)
  return Array.from(matches, ({ 0: curp, index }) => ({ from: index, to: index + curp.length, name: 'CURP_MASKED' }))
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
const SECRET_PHRASE = /codigo (?:de )?(?:seguridad|verificacion)|security code/i
const SECRET_IN_TEXT = new RegExp(
  [
    '((?<![\\p{L}\\d])',
    '(?:cvv2?|cvc2?|nip|pin|c(?:ó|o\u0301?)digo (?:de )?(?:seguridad|verificaci(?:ó|o\u0301?)n)|security code)',
    '(?: de (?:la |mi |su )?tarjeta)?["\']?(?: es)?["\' :=#/([-]{1,4})',
    '\\d{3,8}(?!\\d)',
  ].join(''),
  'giu',
)

/** Whether a field of this name holds what must be kept by nobody: `cvv`, `NIP_tarjeta`, `userPassword`. */
export function isSecretName(name: string): boolean {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '')
  const words = plain.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[^A-Za-z\d]+/)
  return words.some((word) => SECRET_NAME.test(word)) || SECRET_PHRASE.test(words.join(' '))
}

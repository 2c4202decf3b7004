// What people paste into fields, as it was meant. What is not plainly meant stays, for the schema to refuse in words.

const INVISIBLE = /[\p{Cc}\p{Cf}]/gu

/** One kind of letters, digits and blanks (full-width ones, hard blanks), and no mark that shows nothing, as telephones copy them. */
const plain = (text: string): string => text.normalize('NFKC').replace(/\s/g, ' ').replace(INVISIBLE, '')

const RFC_SHAPE = /^[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{3}$/u
export const isRfc = (text: string): boolean => RFC_SHAPE.test(text)

/** Upper case, without separators and the word in front; an RFC may itself begin with RFC. */
export function cleanRfc(text: string): string {
  const rfc = plain(text)
    .toUpperCase()
    .replace(/[\s\p{Pd}.,:;_/'"()]/gu, '')
  const named = rfc.replace(/^RFC/, '')
  return isRfc(rfc) || !isRfc(named) ? rfc : named
}

const PREFIX = '+52'
/** 'Tel. ', 'WhatsApp: ', 'tel:', also behind the prefix that the field starts with. */
const PHONE_LABEL = /^(\+52)?\s*(?:\p{L}+[.:]+\s*|(?:tel|tel[eé]fono|cel|celular|m[oó]vil|whatsapp)\s+)+(?=[+(\d])/iu
const SEPARATORS = /[\s\p{Pd}()./,·•:;_'"]/gu
/** The prefix in every spelling and more than once, the 1 of mobiles behind it, and what was dialled in front until 2019. */
const NATIONAL = /^(?:(?:(?:\+|00|011)?52)+1?)?(?:01|04[45])?(\d{10})$/

/** The phone with `+52` in front, whatever was typed or pasted; the bare prefix is empty. */
export function cleanPhone(text: string): string {
  const typed = plain(text).replace(PHONE_LABEL, '$1').replace(SEPARATORS, '')
  const [, national] = NATIONAL.exec(typed) ?? []
  const phone = national ? PREFIX + national : prefixed(typed)
  return phone === PREFIX ? '' : phone
}

/** '+5' is left after a backspace into the prefix; a number of another country stays one, for the schema to refuse. */
const prefixed = (typed: string): string => {
  const rest = typed.replace(/^(?:\+52)+/, '')
  if (rest !== typed) return PREFIX + rest
  return PREFIX + typed.replace(/^\+5?$|^\+5(?=\d{1,10}$)/, '')
}

/**
 * The decimal text without signs and separators. What else is no amount stays, for the schema to refuse: '1500,50' without
 * its comma would be a hundred times as much.
 */
export const cleanMoney = (text: string): string =>
  plain(text)
    .replace(/^\s*\u2212/, '-')
    .replace(/^(\s*-?\s*)MXN?(?=[\s$\d])|(?<=[\d.]\s*)(?:MXN|M\.N\.)\s*$/i, '$1')
    .replace(/[$\s]|(?<=[1-9](?:\d|,\d{3})*),(?=\d{3}(?!\d))/g, '')

/** Blanks and dashes do not matter. */
export const cleanCode = (text: string): string => plain(text).replace(/[\s\p{Pd}]/gu, '')

/** The address alone of a link, an entry of an address book or a list: 'Ana Paz <ana@banco.mx>;'. */
export const cleanEmail = (text: string): string => unwrapEmail(text).replace(/[;,.>]+$/, '')

/** The same while it is typed, when a point at the end is not yet the end. */
export function unwrapEmail(text: string): string {
  const shown = text.replace(INVISIBLE, '').trim()
  const [, inBrackets] = /^[^<>]*<([^<>@]*@[^<>]*)>[;,.]*$/.exec(shown) ?? []
  return (inBrackets ?? shown).trim().replace(/^mailto:([^?]*).*$/i, '$1')
}

/** An address as messages and sheets wrap it, '<https://…>', in quotes or with marks that show nothing. */
export const cleanUrl = (text: string): string =>
  text
    .replace(INVISIBLE, '')
    .trim()
    .replace(/^(?:<(.*)>|"(.*)"|'(.*)')$/, '$1$2$3')
    .trim()

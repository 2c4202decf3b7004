const PREFIX = '+52'

/** The phone with `+52` in front, whatever was typed or pasted; the bare prefix is empty. */
export function cleanPhone(text: string): string {
  const typed = text.replace(/[\s()-]/g, '')
  const phone = typed.startsWith(PREFIX) ? typed : PREFIX + withoutPrefix(typed)
  return phone === PREFIX ? '' : phone
}

// '+5' is left after a backspace into the prefix; twelve digits starting with 52 are a pasted number without its plus.
const withoutPrefix = (typed: string): string => typed.replace(/^\+5?|^52(?=\d{10}$)/, '')

/**
 * The decimal text without signs and separators. What else is no amount stays, for the schema to refuse: '1500,50' without
 * its comma would be a hundred times as much.
 */
export const cleanMoney = (text: string): string => text.replace(/[$\s]|(?<=[1-9](?:\d|,\d{3})*),(?=\d{3}(?!\d))/g, '')

const DECIMAL = /^(\d+)(?:\.(\d{0,2}))?$/

/** `1234.5` is `1234.50`; what is no amount stays. */
export function twoDecimals(text: string): string {
  const [, whole, cents = ''] = DECIMAL.exec(text) ?? []
  return whole === undefined ? text : `${whole.replace(/^0+(?=\d)/, '')}.${cents.padEnd(2, '0')}`
}

/** `1234.5` reads `1,234.50`. */
export const groupThousands = (text: string): string =>
  DECIMAL.test(text) ? twoDecimals(text).replace(/\d(?=(\d{3})+\.)/g, '$&,') : text

export const cleanRfc = (text: string): string => text.replace(/\s/g, '').toUpperCase()

/** The caret's place in the displayed text: after the same characters, spaces aside, as in `typed`. */
export function caretBehind(typed: string, shown: string): number {
  let left = typed.replaceAll(' ', '').length
  let place = 0
  while (left > 0 && place < shown.length) if (shown[place++] !== ' ') left--
  return place
}

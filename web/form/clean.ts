import { cleanText } from '#contract/fields.ts'

const DECIMAL = /^(\d+)(?:\.(\d{0,2}))?$/

/** `1234.5` is `1234.50`; what is no amount stays. */
export function twoDecimals(text: string): string {
  const [, whole, cents = ''] = DECIMAL.exec(text) ?? []
  return whole === undefined ? text : `${whole.replace(/^0+(?=\d)/, '')}.${cents.padEnd(2, '0')}`
}

/** `1234.5` reads `1,234.50`. */
export const groupThousands = (text: string): string =>
  DECIMAL.test(text) ? twoDecimals(text).replace(/\d(?=(\d{3})+\.)/g, '$&,') : text

/** At most so many characters, after what does not count around them: cut before, the end of what was pasted would be lost. */
export const cutTo = (text: string, limit: number): string =>
  text.length > limit ? cleanText(text).trim().slice(0, limit) : text

/** The caret's place in the displayed text: after the same characters, spaces aside, as in `typed`. */
export function caretBehind(typed: string, shown: string): number {
  let left = typed.replaceAll(' ', '').length
  let place = 0
  while (left > 0 && place < shown.length) if (shown[place++] !== ' ') left--
  return place
}

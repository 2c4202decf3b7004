import { genericRfcs, type RfcWarning } from '#contract/companies.ts'

/** Warnings about a well-formed RFC; none is a reason to refuse the company. */
export function rfcWarnings(rfc: string): RfcWarning[] {
  if (genericRfcs.includes(rfc)) return []
  const warnings: RfcWarning[] = []
  if (!hasDate(rfc)) warnings.push('RFC_DATE')
  if (rfc.at(-1) !== checkDigit(rfc)) warnings.push('RFC_CHECK_DIGIT')
  return warnings
}

/** yyMMdd without a century: 29 February counts in every fourth year, as in 2000 and as in the 1900s with a leap day. */
function hasDate(rfc: string): boolean {
  const [year, month, day] = [-9, -7, -5].map((start) => Number(rfc.slice(start, start + 2))) as [
    number,
    number,
    number,
  ]
  const date = new Date(Date.UTC(2000 + year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** The order gives each letter its value; the blank (37) pads a company's twelve characters to thirteen. */
const VALUES = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ'

/** Modulo 11 with the weights 13 to 2. */
export function checkDigit(rfc: string): string {
  const letters = [...rfc.padStart(13, ' ')].slice(0, -1)
  const sum = letters.reduce((total, letter, index) => total + VALUES.indexOf(letter) * (13 - index), 0)
  const rest = 11 - (sum % 11)
  if (rest === 10) return 'A'
  return rest === 11 ? '0' : String(rest)
}

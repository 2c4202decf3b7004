import { cleanText } from '#contract/fields.ts'

export type Warning = 'CARD_NUMBER_MASKED' | 'CURP_MASKED'

const CARD = /(?<![\w-])[2-6](?:[ -]?\d){12,18}(?![\w-])/g
const CURP = /(?<![A-Z0-9])[A-Z][AEIOUX][A-Z]{2}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d(?![A-Z0-9])/gi
const MASKED_CARD = '[tarjeta omitida]'
const MASKED_CURP = '[CURP omitida]'

/**
 * The data of an event as we store it: text cleaned, card numbers and CURPs masked, since neither belongs here (mexico
 * 4.6). The warnings are for the sender.
 */
export function cleanEventData<T>(data: T): { data: T; warnings: Warning[] } {
  const warnings = new Set<Warning>()
  const cleaned = mapTexts(data, (text) => mask(cleanText(text), warnings))
  return { data: cleaned as T, warnings: [...warnings] }
}

function mapTexts(value: unknown, onText: (text: string) => string): unknown {
  if (typeof value === 'string') return onText(value)
  if (typeof value === 'number') return isCardNumber(String(value)) ? onText(String(value)) : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((child) => mapTexts(child, onText))
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [onText(key), mapTexts(child, onText)]))
}

function mask(text: string, warnings: Set<Warning>): string {
  const withoutCards = text.replace(CARD, (digits) => {
    if (!isCardNumber(digits)) return digits
    warnings.add('CARD_NUMBER_MASKED')
    return MASKED_CARD
  })
  return withoutCards.replace(CURP, () => {
    warnings.add('CURP_MASKED')
    return MASKED_CURP
  })
}

/** 13 to 19 digits, the first one of a card network, the last one valid (Luhn). Timestamps in ms begin with 1. */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, '')
  if (!/^[2-6]\d{12,18}$/.test(digits)) return false
  let sum = 0
  for (const [index, digit] of [...digits].reverse().entries()) {
    const doubled = Number(digit) * (index % 2 ? 2 : 1)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

import { cleanText } from '#contract/fields.ts'
import { type UtmField, utmFields } from '#contract/leads.ts'
import { EXTERNAL_ID_PLACEHOLDER, extraParams, PARAM_LIMIT } from '#contract/tracking.ts'
import { maskPersonal } from '../privacy/mask.ts'

export type ClickParams = Record<UtmField | 'external_id', string> & {
  product_id: string
  /** Campaign parameters of other systems, from the fixed list only. */
  params: Record<string, string>
  /** What was done to values that were too long or dirty, e.g. `external_id:truncated`. */
  notes: string[]
}

const named = new Set<string>(['product_id', 'external_id', ...utmFields])
const extra = new Set<string>(extraParams)
const CLEAN = /^[\x20-\x7e]*$/

/**
 * The query of a click as we store it: known names only, the first value of each. Nothing optional is a reason to
 * refuse, so malformed percent-encoding is tolerated, and values are cleaned and truncated.
 */
export function readClickParams(query: string): ClickParams {
  const found = new Map<string, string>()
  const notes: string[] = []
  for (const [name, raw] of new URLSearchParams(query)) {
    if (found.has(name) || !(named.has(name) || extra.has(name))) continue
    const { value, note } = cleanValue(raw)
    found.set(name, value)
    if (note) notes.push(`${name}:${note}`)
  }
  const value = (name: string) => found.get(name) ?? ''
  const params: Record<string, string> = {}
  for (const [name, text] of found) if (extra.has(name) && text) params[name] = text
  return {
    product_id: value('product_id'),
    external_id: value('external_id') === EXTERNAL_ID_PLACEHOLDER ? '' : value('external_id'),
    utm_source: value('utm_source'),
    utm_medium: value('utm_medium'),
    utm_campaign: value('utm_campaign'),
    utm_term: value('utm_term'),
    utm_content: value('utm_content'),
    params,
    notes,
  }
}

function cleanValue(raw: string): { value: string; note?: 'cleaned' | 'truncated' | 'masked' } {
  if (raw.length <= PARAM_LIMIT && CLEAN.test(raw)) return maskedValue(raw.trim())
  // U+FFFD is what malformed percent-encoding decodes to.
  const value = cleanText(raw.replace(/[\t\r\n\uFFFD]/g, '')).trim()
  const letters = [...value]
  // Masked before it is cut, or most digits of a number at the end would stay.
  if (letters.length > PARAM_LIMIT) {
    const { value: long, note } = maskedValue(letters.slice(0, 2 * PARAM_LIMIT).join(''))
    return { note: note ?? 'truncated', value: [...long].slice(0, PARAM_LIMIT).join('') }
  }
  const note = value === raw.trim().normalize('NFC') ? undefined : ('cleaned' as const)
  return { ...(note && { note }), ...maskedValue(value) }
}

/** What is masked is a little longer than what it stands for. */
function maskedValue(value: string): { value: string; note?: 'masked' } {
  const masked = maskPersonal(value, () => undefined)
  return masked === value ? { value } : { value: [...masked].slice(0, PARAM_LIMIT).join(''), note: 'masked' }
}

import { cleanText } from '#contract/fields.ts'
import { type UtmField, utmFields } from '#contract/leads.ts'
import { isPlaceholder, macroIn, readOutsideId, unwrap } from '#contract/outside-ids.ts'
import { extraParams, PARAM_LIMIT } from '#contract/tracking.ts'
import { maskPersonal } from '../privacy/mask.ts'
import { decodeQuery, pairsOf } from './pairs.ts'

export type ClickParams = Record<UtmField | 'external_id', string> & {
  product_id: string
  /** Campaign parameters of other systems, from the fixed list only. */
  params: Record<string, string>
  /** What was done to values that were too long or dirty, e.g. `external_id:truncated`. */
  notes: string[]
  /** What stood in place of the affiliate's reference: a macro that nobody replaced. */
  unreplaced: string
}

const named = new Set<string>(['product_id', 'external_id', ...utmFields])
const extra = new Set<string>(extraParams)
const CLEAN = /^[\x20-\x7e]*$/

/**
 * The query of a click as we store it: known names only, of each the first value that says something (D89); of
 * product_id the first. Nothing optional is a reason to refuse, so values are cleaned, read (D84) and truncated.
 */
export function readClickParams(query: string): ClickParams {
  const found = new Map<string, string>()
  const notes = new Map<string, string>()
  let unreplaced = ''
  for (const [name, raw] of knownPairs(query)) {
    if (found.get(name) || (name === 'product_id' && found.has(name))) continue
    const { value, note } = readValue(name, raw)
    found.set(name, value)
    if (note === 'placeholder' && name === 'external_id') unreplaced = macroIn(unwrap(raw))
    if (note) notes.set(name, `${name}:${note}`)
    else notes.delete(name)
  }
  const value = (name: string) => found.get(name) ?? ''
  const params: Record<string, string> = {}
  for (const [name, text] of found) if (extra.has(name) && text) params[name] = text
  return {
    product_id: value('product_id'),
    external_id: value('external_id'),
    utm_source: value('utm_source'),
    utm_medium: value('utm_medium'),
    utm_campaign: value('utm_campaign'),
    utm_term: value('utm_term'),
    utm_content: value('utm_content'),
    params,
    notes: [...notes.values()],
    unreplaced: value('external_id') === '' ? unreplaced : '',
  }
}

const isKnown = (name: string): boolean => named.has(name) || extra.has(name)

function knownPairs(query: string): [name: string, value: string][] {
  const pairs = pairsOf(query, isKnown)
  const isEscaped = query.includes('%') && /%3D/i.test(query) && !pairs.some(([name]) => name === 'product_id')
  return isEscaped ? pairsOf(decodeQuery(query), isKnown) : pairs
}

type Note = 'cleaned' | 'truncated' | 'masked' | 'placeholder'

/** A macro that nobody replaced is no value; what stands around an external id is no part of it (D84). */
function readValue(name: string, raw: string): { value: string; note?: Note } {
  if (name !== 'external_id') return isPlaceholder(raw.trim()) ? { value: '', note: 'placeholder' } : cleanValue(raw)
  const id = readOutsideId(raw)
  if (id === raw) return cleanValue(id)
  const inside = unwrap(raw)
  if (id === '') return inside === '' ? { value: '' } : { value: '', note: 'placeholder' }
  return { ...(id !== inside && { note: 'cleaned' }), ...cleanValue(id) }
}

function cleanValue(raw: string): { value: string; note?: Note } {
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
function maskedValue(value: string): { value: string; note?: Note } {
  const masked = maskPersonal(value, () => undefined)
  return masked === value ? { value } : { value: [...masked].slice(0, PARAM_LIMIT).join(''), note: 'masked' }
}

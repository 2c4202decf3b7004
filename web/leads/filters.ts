import { DEFAULT_ORDERING, DEFAULT_PAGE_SIZE, leadStateLabels, PAGE_SIZES } from '#contract/leads.ts'
import { isDay, isId, isOneOf, isPage } from '#web/table/address.ts'
import { optionsOf } from '#web/ui/option.ts'

export const textFields = {
  utm_source: 'UTM Source',
  utm_medium: 'UTM Medium',
  utm_campaign: 'UTM Campaign',
  utm_term: 'UTM Term',
  utm_content: 'UTM Content',
  external_id: 'External ID',
  tracking_id: 'Tracking ID',
} as const
export type TextField = keyof typeof textFields
export const textFieldNames = Object.keys(textFields) as TextField[]

export const orderings = [
  { value: '-created_at', label: 'Más recientes primero' },
  { value: 'created_at', label: 'Más antiguos primero' },
  { value: 'external_id', label: 'External ID (A-Z)' },
  { value: '-external_id', label: 'External ID (Z-A)' },
]

export const states = [{ value: '', label: 'Todos los estados' }, ...optionsOf(leadStateLabels)]

/** The filters as the address holds them, with their defaults. */
export const defaults = {
  page: '1',
  page_size: String(DEFAULT_PAGE_SIZE),
  ordering: DEFAULT_ORDERING,
  issuer_id: '',
  affiliate_id: '',
  product_id: '',
  state: '',
  utm_source: '',
  utm_medium: '',
  utm_campaign: '',
  utm_term: '',
  utm_content: '',
  external_id: '',
  tracking_id: '',
  from: '',
  to: '',
}
export type LeadFilterTexts = typeof defaults

const PAGING = ['page', 'page_size', 'ordering']

/** How many narrow the list, paging and order aside. */
export const countOf = (filters: LeadFilterTexts): number =>
  Object.entries(filters).filter(([name, value]) => !PAGING.includes(name) && value !== '').length

const isShort = (text: string) => text.length <= 255

const isMeant: Record<keyof LeadFilterTexts, (text: string) => boolean> = {
  page: isPage,
  page_size: (text) => PAGE_SIZES.map(String).includes(text),
  ordering: (text) => orderings.some(({ value }) => value === text),
  issuer_id: isId,
  affiliate_id: isId,
  product_id: isId,
  state: (text) => isOneOf(leadStateLabels, text),
  utm_source: isShort,
  utm_medium: isShort,
  utm_campaign: isShort,
  utm_term: isShort,
  utm_content: isShort,
  external_id: isShort,
  tracking_id: isShort,
  from: isDay,
  to: isDay,
}

/** A typed address may hold anything; invalid values fall back to their defaults. */
export const readable = (filters: LeadFilterTexts): LeadFilterTexts => {
  const texts = (Object.keys(defaults) as (keyof LeadFilterTexts)[]).map((name) => {
    const text = filters[name].trim()
    return [name, isMeant[name](text) ? text : defaults[name]]
  })
  return Object.fromEntries(texts) as LeadFilterTexts
}

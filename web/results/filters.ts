import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '#contract/leads.ts'
import { type ResultDimension, resultDimensions } from '#contract/results.ts'
import { NO_FILTERS } from '#web/boards/period.ts'
import type { Asked } from '#web/boards/queries.ts'
import { pageOf } from '#web/table/address.ts'

/** The filters as the address holds them, beside those of every board. */
export const defaults = {
  ...NO_FILTERS,
  dimension: 'utm_source',
  by: 'value',
  search: '',
  ordering: '-leads',
  page: '1',
  page_size: String(DEFAULT_PAGE_SIZE),
}

type Own = Pick<typeof defaults, 'dimension' | 'by' | 'search' | 'ordering' | 'page' | 'page_size'>
export type AskedResults = Asked & Own

const names: Partial<Record<ResultDimension, string>> = {
  utm_source: 'UTM Source',
  utm_medium: 'UTM Medium',
  utm_campaign: 'UTM Campaign',
  utm_content: 'UTM Content',
  utm_term: 'UTM Term',
}
export const dimensions = resultDimensions.map((value) => ({ value, label: names[value] ?? value }))
export const labelOf = (dimension: string): string =>
  dimensions.find(({ value }) => value === dimension)?.label ?? dimension

export const groupings = [
  { value: 'value', label: 'Por valor' },
  { value: 'day', label: 'Por valor y día' },
]

const byDay = [
  { value: '-day', label: 'Días más recientes' },
  { value: 'day', label: 'Días más antiguos' },
]
export const orderingsOf = (by: string) => [
  ...(by === 'day' ? byDay : []),
  { value: '-leads', label: 'Más leads' },
  { value: '-approved', label: 'Más aprobados' },
  { value: '-rejected', label: 'Más rechazados' },
  { value: '-earned', label: 'Más ganado' },
  { value: 'value', label: 'Valor (A-Z)' },
]

const has = (options: readonly { value: string }[], text: string): boolean =>
  options.some(({ value }) => value === text)
const chosen = (options: readonly { value: string }[], text: string, fallback: string): string =>
  has(options, text) ? text : fallback

/** A typed address may hold anything; invalid values become their defaults. */
export function readable(texts: Own): Own {
  const by = chosen(groupings, texts.by, defaults.by)
  const sizes = PAGE_SIZES.map((size) => ({ value: String(size) }))
  return {
    by,
    dimension: chosen(dimensions, texts.dimension, defaults.dimension),
    ordering: chosen(orderingsOf(by), texts.ordering, defaults.ordering),
    search: texts.search.slice(0, 255),
    page: String(pageOf(texts.page)),
    page_size: chosen(sizes, texts.page_size, defaults.page_size),
  }
}

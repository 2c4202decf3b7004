import { expect, test } from 'vitest'
import { LeadFilters } from '#contract/leads.ts'
import { affiliateOptionsQuery } from '#web/affiliates/queries.ts'
import { issuerOptionsQuery } from '#web/issuers/queries.ts'
import { productOptionsQuery } from '#web/products/queries.ts'
import { countOf, defaults, orderings, readable, states, textFieldNames, textFields } from './filters.ts'
import { leadsQuery } from './queries.ts'

const meant = {
  page: '9',
  page_size: '25',
  ordering: 'external_id',
  issuer_id: '7',
  affiliate_id: '8',
  product_id: '9',
  state: 'in_process',
  utm_source: 'face',
  utm_medium: 'cpc',
  utm_campaign: 'buen fin',
  utm_term: 'a'.repeat(255),
  utm_content: '%',
  external_id: 'visita-7',
  tracking_id: '0195',
  from: '2025-03-01',
  to: '2025-03-31',
}

test('what an address means stays, and a call takes all of it', () => {
  expect(readable(meant)).toEqual(meant)
  expect(LeadFilters.safeParse(meant).error).toBeUndefined()
  expect(readable({ ...defaults, external_id: ' visita-7 ' }).external_id).toBe('visita-7')
})

test.each([
  ['page', '-1'],
  ['page', '0'],
  ['page_size', '26'],
  ['ordering', 'name'],
  ['issuer_id', '0'],
  ['affiliate_id', '1.5'],
  ['product_id', 'x'],
  ['state', 'perdido'],
  ['state', 'toString'],
  ['utm_term', 'a'.repeat(256)],
  ['external_id', ' '],
  ['from', '2025-02-30'],
  ['to', 'hoy'],
] as const)('%s=%j means nothing, and the list is what it is without it', (name, text) => {
  expect(readable({ ...meant, [name]: text })).toEqual({ ...meant, [name]: defaults[name] })
})

test('page, size and order narrow nothing; all else does', () => {
  expect(countOf(defaults)).toBe(0)
  expect(countOf({ ...defaults, page: '9', page_size: '25', ordering: 'created_at' })).toBe(0)
  expect(countOf({ ...defaults, state: 'paid', utm_source: 'face', from: '2025-03-01' })).toBe(3)
})

test('the choices are named, and each is one that a call takes', () => {
  expect(states.map(({ label }) => label)).toEqual([
    ...['Todos los estados', 'Clic', 'En proceso', 'Aprobado', 'Rechazado', 'Pagado'],
  ])
  expect(Object.values(textFields)).toEqual([
    ...['UTM Source', 'UTM Medium', 'UTM Campaign', 'UTM Term', 'UTM Content', 'External ID', 'Tracking ID'],
  ])
  for (const { value } of orderings) expect(LeadFilters.safeParse({ ordering: value }).success, value).toBe(true)
  for (const { value } of states.slice(1)) expect(LeadFilters.safeParse({ state: value }).success, value).toBe(true)
  expect(textFieldNames.every((name) => name in LeadFilters.shape)).toBe(true)
})

test('where the names of companies and products cannot be had, only their choices lack them: no notice says so', () => {
  for (const { meta } of [issuerOptionsQuery(), affiliateOptionsQuery(), productOptionsQuery()])
    expect(meta).toEqual({ quiet: true })
  expect(leadsQuery(defaults).meta).toBeUndefined()
})

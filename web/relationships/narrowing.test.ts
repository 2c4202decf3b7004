import { expect, test } from 'vitest'
import type { Relationship } from '#contract/relationships.ts'
import { affiliatesOf, issuersOf, NO_FILTERS, passes } from './narrowing.ts'

const row = (affiliate: number, issuer: number) =>
  ({
    affiliate,
    issuer,
    affiliate_name: 'Árbol Digital',
    issuer_name: 'Banco Norte',
    notes: 'Campaña de otoño',
  }) as Relationship
const rows = [row(1, 10), row(1, 11), row(2, 11)]
const affiliates = [1, 2, 3].map((value) => ({ value, label: `A${value}` }))
const issuers = [10, 11, 12].map((value) => ({ value, label: `I${value}` }))
const values = (options: { value: number }[]) => options.map(({ value }) => value)

test('each picker is narrowed by what is chosen in the other', () => {
  expect(values(affiliatesOf(affiliates, rows, ''))).toEqual([1, 2, 3])
  expect(values(affiliatesOf(affiliates, rows, '10'))).toEqual([1])
  expect(values(affiliatesOf(affiliates, rows, '11'))).toEqual([1, 2])
  expect(values(issuersOf(issuers, rows, ''))).toEqual([10, 11, 12])
  expect(values(issuersOf(issuers, rows, '1'))).toEqual([10, 11])
  expect(values(issuersOf(issuers, rows, '2'))).toEqual([11])
})

test.each([
  [{}, true],
  [{ q: 'arbol' }, true],
  [{ q: 'norte OTONO' }, true],
  [{ q: 'norte invierno' }, false],
  [{ afiliado: '1' }, true],
  [{ afiliado: '2' }, false],
  [{ afiliado: '1', emisor: '11' }, false],
])('with %j the first row is shown: %s', (filters, shown) => {
  expect(passes(row(1, 10), { ...NO_FILTERS, ...filters })).toBe(shown)
})

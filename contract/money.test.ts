import { expect, test } from 'vitest'
import { subtractAmounts, sumAmounts } from './money.ts'

test.each([
  [[], '0.00'],
  [['1500.00'], '1500.00'],
  [['0.10', '0.20'], '0.30'],
  [['-0.05'], '-0.05'],
  [['100.00', '-250.50'], '-150.50'],
  [['9999999999.99', '9999999999.99', '0.03'], '20000000000.01'],
])('%j add up to %s', (amounts, sum) => {
  expect(sumAmounts(amounts)).toBe(sum)
})

test.each([
  ['1500.00', '1500.00', '0.00'],
  ['100.00', '250.50', '-150.50'],
  ['0.00', '-0.05', '0.05'],
  ['9999999999.99', '-9999999999.99', '19999999999.98'],
])('%s less %s is %s', (from, amount, left) => {
  expect(subtractAmounts(from, amount)).toBe(left)
})

test('what is no amount is not taken for nothing', () => {
  expect(() => sumAmounts(['12.5'])).toThrow('No es un monto: 12.5')
  expect(() => subtractAmounts('1.00', '')).toThrow('No es un monto: ')
})

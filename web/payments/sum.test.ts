import { expect, test } from 'vitest'
import { sumAmounts } from './sum.ts'

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

test('what is no amount is not taken for nothing', () => {
  expect(() => sumAmounts(['12.5'])).toThrow('No es un monto: 12.5')
})

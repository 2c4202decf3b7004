import { expect, test } from 'vitest'
import { comparisonText, rangeText } from './comparison.ts'

test.each([
  ['2026-11-01', '2026-11-22', '1–22 nov'],
  ['2026-11-22', '2026-11-22', '22 nov'],
  ['2026-09-28', '2026-10-04', '28 sep – 4 oct'],
  ['2025-10-01', '2025-10-31', '1–31 oct 2025'],
  ['2025-12-28', '2026-01-03', '28 dic 2025 – 3 ene 2026'],
  ['2025-01-01', '2026-01-31', '1 ene 2025 – 31 ene 2026'],
])('%s to %s is %s', (from, to, text) => {
  expect(rangeText({ from, to }, '2026-11-23')).toBe(text)
})

test('a comparison says what stands beside what', () => {
  const month = {
    period: { from: '2025-11-01', to: '2025-11-22' },
    previous_period: { from: '2025-10-01', to: '2025-10-22' },
  }
  expect(comparisonText(month, '$73,190.00')).toBe('1–22 nov 2025 frente a 1–22 oct 2025: $73,190.00')
  expect(comparisonText(month, '12', '15:02')).toBe('1–22 nov 2025 frente a 1–22 oct 2025, ambos hasta las 15:02: 12')
})

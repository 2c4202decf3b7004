import { expect, test } from 'vitest'
import { addMonths, inMonth, shownDate, typedDate, weeksOf } from './calendar-days.ts'

test('a month is laid out from Sunday on', () => {
  const weeks = weeksOf('2025-03')
  expect(weeks).toHaveLength(6)
  expect(weeks[0]).toEqual([
    '2025-02-23',
    '2025-02-24',
    '2025-02-25',
    '2025-02-26',
    '2025-02-27',
    '2025-02-28',
    '2025-03-01',
  ])
  expect(weeks.at(-1)?.[6]).toBe('2025-04-05')
  expect(weeksOf('2026-02').flat()).toHaveLength(28)
})

test('months carry over the year', () => {
  expect([addMonths('2025-12', 1), addMonths('2025-01', -1), addMonths('2025-05', -17)]).toEqual([
    '2026-01',
    '2024-12',
    '2023-12',
  ])
})

test('the 31st of a shorter month is its last day', () => {
  expect([inMonth('2025-01-31', '2025-02'), inMonth('2025-01-15', '2025-02')]).toEqual(['2025-02-28', '2025-02-15'])
})

test.each([
  ['4/3/2025', '2025-03-04'],
  ['04-03-2025', '2025-03-04'],
  ['01102026', '2026-10-01'],
  ['1/10/26', '2026-10-01'],
  [' 1/10/2026 ', '2026-10-01'],
  ['\u202a1 / 10 / 2026\u00a0', '2026-10-01'],
  ['1–10–2026', '2026-10-01'],
  ['1/10/202', '1/10/202'],
  ['011026', '011026'],
  ['2025-03-04', '2025-03-04'],
  ['mañana', 'mañana'],
  ['', ''],
])('%j typed is %j', (text, date) => {
  expect(typedDate(text)).toBe(date)
})

test('a date reads day first', () => {
  expect([shownDate('2025-03-04'), shownDate('4/3')]).toEqual(['04/03/2025', '4/3'])
})

import { expect, test } from 'vitest'
import { type Day, spanOf, totalOf } from './totals.ts'

const days: Day[] = [
  { day: '2026-01-30', count: 3 },
  { day: '2026-01-31', count: 1 },
  { day: '2026-03-01', count: 4 },
]
const span = (offset: number, from: string, until: string) => ({
  offset,
  from,
  until,
})

test('the total is the sum of the days', () => {
  expect(totalOf(days)).toBe(8)
  expect(totalOf([])).toBe(0)
})

test.each([
  ['the newest within their day', 0, 4, true, span(0, '2026-03-01', '2026-03-02')],
  ['over the edge of a day', 3, 2, true, span(3, '2026-01-31', '2026-03-02')],
  ['from the edge of a day', 4, 1, true, span(0, '2026-01-31', '2026-02-01')],
  ['over several days', 2, 5, true, span(2, '2026-01-30', '2026-03-02')],
  ['the last, fewer than a page', 6, 50, true, span(1, '2026-01-30', '2026-01-31')],
  ['all of them', 0, 50, true, span(0, '2026-01-30', '2026-03-02')],
  ['the oldest', 0, 2, false, span(0, '2026-01-30', '2026-01-31')],
  ['from the old end over an edge', 2, 2, false, span(2, '2026-01-30', '2026-02-01')],
  ['the newest from the old end', 5, 50, false, span(1, '2026-03-01', '2026-03-02')],
] as const)('%s', (_, offset, size, newestFirst, expected) => {
  expect(spanOf(days, { offset, size, newestFirst })).toEqual(expected)
})

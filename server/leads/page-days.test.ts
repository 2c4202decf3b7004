import { expect, test } from 'vitest'
import { daysHolding } from './page-days.ts'

const days = [
  { day: '2026-01-30', count: 3 },
  { day: '2026-01-31', count: 1 },
  { day: '2026-03-01', count: 4 },
]
const span = (offset: number, from: string, to: string) => ({
  offset,
  from,
  to,
})

test.each([
  ['the newest within their day', 0, 4, true, span(0, '2026-03-01', '2026-03-01')],
  ['over the edge of a day', 3, 2, true, span(3, '2026-01-31', '2026-03-01')],
  ['from the edge of a day', 4, 1, true, span(0, '2026-01-31', '2026-01-31')],
  ['over several days', 2, 5, true, span(2, '2026-01-30', '2026-03-01')],
  ['the last, fewer than a page', 6, 50, true, span(1, '2026-01-30', '2026-01-30')],
  ['all of them', 0, 50, true, span(0, '2026-01-30', '2026-03-01')],
  ['the oldest', 0, 2, false, span(0, '2026-01-30', '2026-01-30')],
  ['from the old end over an edge', 2, 2, false, span(2, '2026-01-30', '2026-01-31')],
  ['the newest from the old end', 5, 50, false, span(1, '2026-03-01', '2026-03-01')],
] as const)('%s', (_, offset, size, newestFirst, expected) => {
  expect(daysHolding(days, { offset, size, newestFirst })).toEqual(expected)
})

import { expect, test } from 'vitest'
import { addDays } from '#contract/time.ts'
import { kindFor, ticksOf, weekendsOf } from './days.ts'

const daysFrom = (first: string, count: number, step = 1): string[] =>
  Array.from({ length: count }, (_, index) => addDays(first, index * step))

test('few days are bars, more an area', () => {
  expect([1, 14, 15, 365].map(kindFor)).toEqual(['bar', 'bar', 'area', 'area'])
})

test('a month of days has its Mondays below it', () => {
  const november = daysFrom('2026-11-01', 30)
  expect(ticksOf(november, 8)).toEqual(['2026-11-02', '2026-11-09', '2026-11-16', '2026-11-23', '2026-11-30'])
  expect(ticksOf(november, 4)).toEqual(['2026-11-02', '2026-11-16', '2026-11-30'])
})

test.each([
  [90, 8],
  [90, 6],
  [90, 4],
  [365, 8],
  [366, 4],
])('%i days have at most %i ticks, evenly apart and all of them Mondays', (count, most) => {
  const ticks = ticksOf(daysFrom('2025-11-24', count), most)
  expect(ticks.length).toBeGreaterThan(most / 2)
  expect(ticks.length).toBeLessThanOrEqual(most)
  const weeks = ticks.map((day) => (Date.parse(day) - Date.parse('2025-11-24')) / 604_800_000)
  expect(weeks.every(Number.isInteger)).toBe(true)
  expect(new Set(weeks.slice(1).map((week, index) => week - (weeks[index] ?? 0))).size).toBe(1)
})

test('a fortnight and what is no row of days have any day below it, the last among them', () => {
  expect(ticksOf(daysFrom('2026-11-03', 7), 8)).toHaveLength(7)
  expect(ticksOf(daysFrom('2026-11-03', 14), 4)).toEqual(['2026-11-04', '2026-11-08', '2026-11-12', '2026-11-16'])
  expect(ticksOf(daysFrom('2026-09-01', 20, 7), 6)).toEqual(daysFrom('2026-09-22', 5, 28))
  expect(ticksOf([], 8)).toEqual([])
})

test('weekends are those of the row of days, whole or cut at its ends', () => {
  expect(weekendsOf(daysFrom('2026-11-02', 14))).toEqual([
    [5, 6],
    [12, 13],
  ])
  expect(weekendsOf(daysFrom('2026-11-08', 7))).toEqual([
    [0, 0],
    [6, 6],
  ])
  expect(weekendsOf(daysFrom('2026-11-07', 4, 7))).toEqual([])
  expect(weekendsOf(['2026-11-07'])).toEqual([])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { comparisonOf, daysIn } from './periods.ts'
import { addDays } from './time.ts'

const TODAY = '2026-11-25' // a Wednesday

test.each([
  ['a running month', '2026-11-01', '2026-11-25', '2026-11-01', '2026-11-24', '2026-10-01', '2026-10-24'],
  ['a whole month', '2026-10-01', '2026-10-31', '2026-10-01', '2026-10-31', '2026-08-31', '2026-09-30'],
  ['a shorter month', '2026-09-01', '2026-09-30', '2026-09-01', '2026-09-30', '2026-08-01', '2026-08-30'],
  ['a running week', '2026-11-23', '2026-11-25', '2026-11-23', '2026-11-24', '2026-11-16', '2026-11-17'],
  ['a whole week', '2026-11-16', '2026-11-22', '2026-11-16', '2026-11-22', '2026-11-09', '2026-11-15'],
  ['complete days', '2026-11-18', '2026-11-24', '2026-11-18', '2026-11-24', '2026-11-11', '2026-11-17'],
  ['days up to today', '2026-11-19', '2026-11-25', '2026-11-19', '2026-11-24', '2026-11-13', '2026-11-18'],
  ['the first days of a month', '2026-10-01', '2026-10-05', '2026-10-01', '2026-10-05', '2026-09-26', '2026-09-30'],
  ['days to come', '2026-11-24', '2026-12-05', '2026-11-24', '2026-11-24', '2026-11-23', '2026-11-23'],
])('%s from %s to %s: %s to %s beside %s to %s', (_, from, to, first, last, before, until) => {
  expect(comparisonOf({ from, to }, TODAY)).toEqual({
    period: { from: first, to: last },
    previous_period: { from: before, to: until },
  })
})

test('the days of March that February has not stand beside as many before', () => {
  expect(comparisonOf({ from: '2026-03-01', to: '2026-03-31' }, '2026-03-31')?.previous_period).toEqual({
    from: '2026-01-30',
    to: '2026-02-28',
  })
})

test('without a complete day there is no comparison', () => {
  expect(comparisonOf({ from: TODAY, to: TODAY }, TODAY)).toBeNull()
  expect(comparisonOf({ from: '2026-12-01', to: '2026-12-02' }, TODAY)).toBeNull()
})

test('both sides are as long, end before today and share no day', () => {
  fc.assert(
    fc.property(fc.nat(800), fc.nat(365), (start, length) => {
      const from = addDays('2025-01-01', start)
      const found = comparisonOf({ from, to: addDays(from, length) }, TODAY)
      if (!found) return from >= TODAY
      const { period, previous_period } = found
      return (
        daysIn(period) === daysIn(previous_period) &&
        period.from === from &&
        period.to < TODAY &&
        previous_period.to < period.from
      )
    }),
  )
})

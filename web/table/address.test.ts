import { expect, test } from 'vitest'
import { CalendarDate, PageNumber, QueryId } from '#contract/fields.ts'
import { isDay, isId, isOneOf, pageOf } from './address.ts'

const numbers = [
  '',
  '0',
  '1',
  '007',
  '7',
  '-1',
  '1.5',
  '1e3',
  ' 7',
  '999999999999',
  '1000000000000',
  '9'.repeat(15),
  '1'.repeat(16),
]

test.each(numbers)('%j is an id and a page where the calls take it', (text) => {
  expect(isId(text)).toBe(QueryId.safeParse(text).success)
  expect(pageOf(text)).toBe(PageNumber.safeParse(text).data ?? 1)
})

const days = [
  '',
  '2026-11-25',
  '2024-02-29',
  '2026-02-29',
  '2026-02-30',
  '2026-13-01',
  '2026-00-10',
  '2026-1-1',
  '20261125',
  '2026-11-25T00:00',
  '0000-01-01',
  '9999-12-31',
  'hoy',
]

test.each(days)('%j is a day where the calls take it', (text) => {
  expect(isDay(text)).toBe(CalendarDate.safeParse(text).success)
})

test('only values with a label are one of them', () => {
  expect(isOneOf({ paid: 'Pagado' }, 'paid')).toBe(true)
  expect(isOneOf({ paid: 'Pagado' }, 'Pagado')).toBe(false)
  expect(isOneOf({ paid: 'Pagado' }, 'toString')).toBe(false)
})

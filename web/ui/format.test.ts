import { expect, test } from 'vitest'
import {
  cutAt,
  formatBytes,
  formatDate,
  formatMoney,
  formatPercent,
  formatPeriod,
  formatPhone,
  formatRelative,
  isNegative,
} from './format.ts'

test.each([
  ['1234.5', '$1,234.50'],
  ['1500.00', '$1,500.00'],
  [0, '$0.00'],
  ['-12.3', '-$12.30'],
  ['9999999999.99', '$9,999,999,999.99'],
  ['90071992547409931.07', '$90,071,992,547,409,931.07'],
  ['x', 'x'],
  ['', ''],
])('money %j is %j', (amount, text) => {
  expect(formatMoney(amount)).toBe(text)
})

test('only numbers below zero are negative', () => {
  expect(['-0.01', '0.00', '5', 'x', '-'].map(isNegative)).toEqual([true, false, false, false, false])
})

test.each([
  ['2025-03-04', 'day', '04/03/2025'],
  ['2025-03-04', 'longDay', '4 de marzo de 2025'],
  ['2025-03-05T04:30:00.000Z', 'day', '04/03/2025'],
  ['2025-03-05T04:30:00.000Z', 'dayTime', '04/03/2025 22:30'],
  ['2025-03-05T06:05:00.000Z', 'dayTime', '05/03/2025 00:05'],
  ['2025-03-05T06:05:00.000Z', 'longDay', '5 de marzo de 2025'],
  ['2025-03-05T06:05:00.000Z', 'time', '00:05'],
  ['x', 'day', undefined],
  ['', 'day', undefined],
  ['2025-02-31', 'day', undefined],
  ['2025-13-01', 'day', undefined],
] as const)('%j as %s is %j', (value, style, text) => {
  expect(formatDate(value, style)).toBe(text)
})

test.each([
  ['2026-10-01', '2026-10-31', '1–31 oct 2026'],
  ['2026-10-05', '2026-10-05', '5 oct 2026'],
  ['2026-09-28', '2026-10-04', '28 sep – 4 oct 2026'],
  ['2025-12-28', '2026-01-03', '28 dic 2025 – 3 ene 2026'],
  ['2025-10-01', '2026-10-31', '1 oct 2025 – 31 oct 2026'],
  ['2024-02-01', '2024-02-29', '1–29 feb 2024'],
  ['2025-02-01', '2025-02-29', undefined],
  ['x', '2025-02-01', undefined],
  ['2025-02-01', '', undefined],
])('%j to %j is %j', (from, to, text) => {
  expect(formatPeriod(from, to)).toBe(text)
})

test('a period without its year names the years where they differ', () => {
  expect(formatPeriod('2026-10-01', '2026-10-31', false)).toBe('1–31 oct')
  expect(formatPeriod('2026-09-28', '2026-10-04', false)).toBe('28 sep – 4 oct')
  expect(formatPeriod('2025-12-28', '2026-01-03', false)).toBe('28 dic 2025 – 3 ene 2026')
})

const now = Date.parse('2025-03-05T12:00:00Z')
test.each([
  ['2025-03-05T11:59:40Z', 'hace un momento'],
  ['2025-03-05T11:15:00Z', 'hace 45 minutos'],
  ['2025-03-05T09:00:00Z', 'hace 3 horas'],
  ['2025-03-03T12:30:00Z', 'hace 1 día'],
  ['2025-02-19T12:00:00Z', 'hace 2 semanas'],
  ['2023-03-01T12:00:00Z', 'hace 2 años'],
  ['x', undefined],
])('%j was %j', (value, text) => {
  expect(formatRelative(value, now)).toBe(text)
})

test('phones are grouped, strange ones left alone', () => {
  expect(formatPhone('+525512345678')).toBe('+52 551 234 5678')
  expect(formatPhone('+52 55')).toBe('+52 55')
})

test('percentages have two decimals', () => {
  expect(formatPercent('12.5')).toBe('12.50%')
})

test('long text is cut with an ellipsis', () => {
  expect(cutAt('a'.repeat(51), 50)).toBe(`${'a'.repeat(50)}…`)
  expect(cutAt('a'.repeat(50), 50)).toBe('a'.repeat(50))
  expect(cutAt(`${'a'.repeat(49)}💰 y más`, 50)).toBe(`${'a'.repeat(49)}💰…`)
})

test('sizes of files are told so that small ones are not nothing', () => {
  expect(formatBytes(640)).toBe('1 kB')
  expect(formatBytes(312_000)).toBe('312 kB')
  expect(formatBytes(12_480_000)).toBe('12.5 MB')
})

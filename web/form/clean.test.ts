import { expect, test } from 'vitest'
import { caretBehind, cleanMoney, cleanPhone, cleanRfc, groupThousands, twoDecimals } from './clean.ts'

test.each([
  ['', ''],
  ['+52', ''],
  ['+5', ''],
  ['+', ''],
  ['5', '+525'],
  ['5512345678', '+525512345678'],
  ['525512345678', '+525512345678'],
  ['+52 551 234 5678', '+525512345678'],
  ['(55) 1234-5678', '+525512345678'],
  ['+5255abc', '+5255abc'],
])('phone %j becomes %j', (typed, cleaned) => {
  expect(cleanPhone(typed)).toBe(cleaned)
})

test.each([
  ['1500', '1500.00', '1,500.00'],
  ['1234567.5', '1234567.50', '1,234,567.50'],
  ['007', '7.00', '7.00'],
  ['12.', '12.00', '12.00'],
  ['12.345', '12.345', '12.345'],
  ['', '', ''],
  ['abc', 'abc', 'abc'],
  ['-5', '-5', '-5'],
])('money %j becomes %j and reads %j', (typed, cleaned, read) => {
  expect(twoDecimals(typed)).toBe(cleaned)
  expect(groupThousands(typed)).toBe(read)
})

test.each([
  ['$1,234.50 ', '1234.50'],
  ['1,234,567', '1234567'],
  ['1,000,000.5', '1000000.5'],
  ['0,500', '0,500'],
  ['1234,567', '1234567'], // typed one by one: the first comma is gone
  ['1500,50', '1500,50'],
  ['1.500,50', '1.500,50'],
  ['1,5', '1,5'],
  [',500', ',500'],
  ['12 pesos', '12pesos'],
])('money %j is %j while it is typed', (typed, cleaned) => {
  expect(cleanMoney(typed)).toBe(cleaned)
})

test('an RFC is upper case and without blanks', () => {
  expect(cleanRfc('ñ&a 010203ab1')).toBe('Ñ&A010203AB1')
})

test.each([
  ['', '+52 551 234 5678', 0],
  ['+5255', '+52552345678', 5],
  ['+525519', '+52 551 923 4567', 9],
  ['ABC', 'ABCD', 3],
  ['ABCDE', 'ABC', 3],
])('behind %j in %j the caret stands at %i', (cleaned, shown, place) => {
  expect(caretBehind(cleaned, shown)).toBe(place)
})

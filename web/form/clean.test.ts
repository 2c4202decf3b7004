import { expect, test } from 'vitest'
import { caretBehind, cutTo, groupThousands, twoDecimals } from './clean.ts'

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
  ['ABCD010101AB12', 13, 'ABCD010101AB1'],
  ['  Un nombre que cabe  ', 18, 'Un nombre que cabe'],
  ['\u202aUn nombre que cabe\u202c', 18, 'Un nombre que cabe'],
  [' al escribir ', 20, ' al escribir '],
])('%j cut to %i is %j', (text, limit, cut) => {
  expect(cutTo(text, limit)).toBe(cut)
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

import { expect, test } from 'vitest'
import { matches } from './matches.ts'

const fields = ['Crédito Ágil, S.A.', 'CAG010203AB1', 'hola@credito.mx', null, 42]

test.each([
  ['', true],
  ['   ', true],
  ['credito', true],
  ['CRÉDITO', true],
  ['  agil   cag01 ', true],
  ['hola 42', true],
  ['credito banco', false],
  ['agilcag', false],
])('%j matches: %j', (words, expected) => {
  expect(matches(words, fields)).toBe(expected)
})

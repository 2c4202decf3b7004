import { expect, test } from 'vitest'
import { rfcWarnings } from './rfc.ts'

test.each([
  'COSC8001137NA',
  'CAMA911215CJ0',
  'DIM8701081LA',
  'SAT970701NN3',
  'A&A050908GT0',
  'AÑÑ801231JK0',
  'EKU9003173C9',
  'XIA190128J61',
  'URE180429TM6',
  'CACX7605101P8',
  'XAXX010101000',
  'XEXX010101000',
])('%s has nothing odd', (rfc) => {
  expect(rfcWarnings(rfc)).toEqual([])
})

test.each([
  ['RTO840921RE4', ['RFC_CHECK_DIGIT']],
  ['SAT970701NN4', ['RFC_CHECK_DIGIT']],
  ['SAT971301NN3', ['RFC_DATE', 'RFC_CHECK_DIGIT']],
  ['SAT970230NN3', ['RFC_DATE', 'RFC_CHECK_DIGIT']],
  ['SAT970001NN3', ['RFC_DATE', 'RFC_CHECK_DIGIT']],
])('%s is accepted with %j', (rfc, warnings) => {
  expect(rfcWarnings(rfc)).toEqual(warnings)
})

test('29 February exists in leap years only', () => {
  expect(rfcWarnings('SAT000229NN3')).not.toContain('RFC_DATE')
  expect(rfcWarnings('SAT960229NN3')).not.toContain('RFC_DATE')
  expect(rfcWarnings('SAT970229NN3')).toContain('RFC_DATE')
})

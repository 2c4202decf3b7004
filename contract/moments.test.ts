import { expect, test } from 'vitest'
import { readMoment } from './moments.ts'

const AT = '2026-11-27T16:00:00.000Z'

test.for([
  ['2026-11-27T10:00:00-06:00', '2026-11-27T10:00:00-06:00', false],
  ['2026-11-27T16:00:00.123456Z', '2026-11-27T16:00:00.123456Z', false],
  ['2026-11-27t16:00:00z', AT, false],
  ['2026-11-27T16:00:00+0000', AT, false],
  ['2026-11-27T16:00:00+00', AT, false],
  ['2026-11-27 16:00:00 UTC', AT, false],
  ['2026-11-27T10:00:00', AT, true],
  ['2026-11-27 10:00:00', AT, true],
  ['2026-11-27 10:00', AT, true],
  ['2026-11-27 10:00:00,000', AT, true],
  ['20261127T100000', AT, true],
  ['2026-11-27', '2026-11-27T06:00:00.000Z', true],
  [1795795200, AT, false],
  ['1795795200', AT, false],
  [1795795200000, AT, false],
  ['1795795200.5', '2026-11-27T16:00:00.500Z', false],
  // Clocks were set forward until 2022.
  ['2021-07-01 10:00:00', '2021-07-01T15:00:00.000Z', true],
])('%j is %s', ([said, moment, isLocal]) => {
  expect(readMoment(said as string | number)).toEqual({ moment, isLocal })
})

test.for([
  '',
  'ayer',
  '0',
  0,
  -1,
  '0000-01-01T00:00:00Z',
  '2025-02-30T00:00:00Z',
  '2026-13-01',
  '27/11/2026',
  '2026-11-27T25:00:00Z',
  1e20,
  Number.NaN,
])('%j is no moment', (said) => {
  expect(readMoment(said)).toBeUndefined()
})

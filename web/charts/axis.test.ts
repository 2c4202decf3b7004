import { expect, test } from 'vitest'
import { axisOf } from './axis.ts'
import type { Series } from './series.ts'

type Row = readonly (number | undefined)[]

const seriesOf = (place: number, more: Partial<Series<Row>> = {}): Series<Row> => ({
  ...{ name: `Serie ${place}`, kind: 'bar', color: 'red', text: String },
  value: (row) => row[place],
  ...more,
})

const stack = [seriesOf(0, { stack: 'a' }), seriesOf(1, { stack: 'a' })]

test('an axis ends with a round figure, and stands on zero', () => {
  expect(axisOf([[18_000], [9000]], [seriesOf(0)])).toEqual({ domain: [0, 18_000], ticks: [0, 6000, 12_000, 18_000] })
  expect(axisOf([[9000, 8000]], stack)).toEqual({ domain: [0, 18_000], ticks: [0, 6000, 12_000, 18_000] })
  expect(axisOf([[10], [undefined]], [seriesOf(0), seriesOf(1, { onRight: true })])).toMatchObject({ domain: [0, 12] })
})

test('a small negative day takes no whole step below zero', () => {
  const { domain, ticks } = axisOf(
    [
      [9900, 0],
      [-70, 0],
    ],
    stack,
  )
  expect(domain).toEqual([-70, 10_000])
  expect(ticks).toEqual([0, 5000, 10_000])
})

test('what is far below zero has its figures there, and what is stacked hangs as deep as the stack', () => {
  const { domain, ticks } = axisOf(
    [
      [4000, -3000],
      [-4000, -3000],
    ],
    stack,
  )
  expect(domain).toEqual([-7000, 4000])
  expect(ticks).toEqual([-4000, 0, 4000])
})

import { expect, test } from 'vitest'
import { pointsOf } from './Sparkline.tsx'

test('a small line goes from edge to edge, from zero to the largest', () => {
  expect(pointsOf([0, 5, 10])).toEqual([
    [2.5, 21.5],
    [48, 12],
    [93.5, 2.5],
  ])
})

test('nothing, one value and what was taken back stay within the picture', () => {
  expect(pointsOf([])).toEqual([])
  expect(pointsOf([3])).toEqual([[2.5, 2.5]])
  expect(pointsOf([0, -4])).toEqual([
    [2.5, 21.5],
    [93.5, 21.5],
  ])
})

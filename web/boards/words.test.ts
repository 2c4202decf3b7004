import { expect, test } from 'vitest'
import { changeBetween, pointsBetween, shortDay, shortMoney } from './words.ts'

test.each([
  [120, 100, 20],
  [95, 100, -5],
  ['150.50', '100.00', 50.5],
  ['-50.00', '-100.00', 50],
  [3, 0, null],
  [0, 0, null],
])('from %j against %j it is %j percent', (now, before, change) => {
  expect(changeBetween(now, before)).toBe(change)
})

test.each([
  [8.64, 9.08, { direction: 'down', text: '-0.44 puntos' }],
  [9.1, 8, { direction: 'up', text: '+1.1 puntos' }],
  [8, 8, { direction: 'same', text: 'Sin cambio' }],
])('from %j against %j it is %j', (now, before, change) => {
  expect(pointsBetween(now, before)).toEqual(change)
})

test('axes are short', () => {
  expect([shortDay('2025-03-04'), shortMoney(-1500), shortMoney(0)]).toEqual(['4 mar', '-$1.5\u00a0k', '$0'])
})
